import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import url from "node:url";

/**
 * Modules share this process, and one that bends something everybody uses must harm nobody else.
 * Not a sandbox: it is for accidents, polyfills and mocks, and runs in the dispatcher only, never in
 * a program that embeds the engine.
 */

// Taken before any module could bend them; loops by index, because iterators can be bent too.
const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;
const exit = process.exit.bind(process);
const cwd = process.cwd.bind(process);
const chdir = process.chdir.bind(process);

/** Ends the process for real. */
export const leave = (code: number): never => exit(code);

/** What a module left running may still throw or call `process.exit` when it is somebody else's turn. */
export function standGuard(): void {
  process.exit = (code) => {
    throw new Error(`called process.exit(${code ?? ""})`);
  };
  process.on("uncaughtException", () => {});
  process.on("unhandledRejection", () => {});
}

/** Every property of these counts, also one that was not there before. */
const WHOLE: readonly object[] = [
  ...[Object, Object.prototype, Function.prototype, Array, Array.prototype],
  ...[String, String.prototype, Number, Number.prototype, Boolean.prototype, Symbol.prototype],
  ...[Promise, Promise.prototype, Map.prototype, Set.prototype, RegExp.prototype],
  ...[Error, Error.prototype, Date, Date.prototype, JSON, Math, Reflect],
  ...[Buffer, Buffer.prototype, Uint8Array.prototype, fs, os, path, url],
  ...[Object.getPrototypeOf(Uint8Array.prototype), Object.getPrototypeOf([].values())],
];

/** Of these only what we use ourselves: they are changed at all times, and by Node as well. */
const PARTLY: readonly (readonly [object, readonly string[]])[] = [
  [
    globalThis,
    [
      ...["Object", "Array", "String", "Number", "Boolean", "Symbol", "Promise", "Map", "Set"],
      ...["RegExp", "Error", "Date", "JSON", "Math", "Reflect", "Buffer", "Uint8Array", "process"],
      ...["setTimeout", "clearTimeout", "setImmediate", "queueMicrotask", "URL", "performance"],
    ],
  ],
  [process, ["on", "off", "emit", "kill", "cwd", "chdir", "hrtime", "nextTick", "env"]],
];

type Kept = readonly [object: object, key: PropertyKey, was: PropertyDescriptor];

const keptOf = (object: object, keys: readonly PropertyKey[]): Kept[] =>
  keys.flatMap((key) => {
    const was = getOwnPropertyDescriptor(object, key);
    return was ? [[object, key, was] as const] : [];
  });

interface Baseline {
  readonly kept: readonly Kept[];
  /** How many properties each of WHOLE had. */
  readonly counts: readonly number[];
}

const remember = (): Baseline => ({
  kept: [
    ...WHOLE.flatMap((object) => keptOf(object, ownKeys(object))),
    ...PARTLY.flatMap(([object, keys]) => keptOf(object, keys)),
  ],
  counts: WHOLE.map((object) => ownKeys(object).length),
});

/** As it was before the first module; every module leaves it so. */
let baseline: Baseline | undefined;

/** Called before a module runs; the returned function puts back what it bent, and says if it could. */
export function keepShared(): () => boolean {
  const { kept, counts } = (baseline ??= remember());
  const { env } = process;
  const [folder, variables] = [cwd(), { ...env }];
  return () => {
    let whole = true;
    for (let i = 0; i < kept.length; i++) whole = putBack(kept[i]!) && whole;
    for (let i = 0; i < counts.length; i++)
      if (ownKeys(WHOLE[i]!).length > counts[i]!) whole = removeNew(WHOLE[i]!, kept) && whole;
    restoreEnvironment(env, variables);
    return restoreFolder(folder) && whole;
  };
}

function putBack([object, key, was]: Kept): boolean {
  const now = getOwnPropertyDescriptor(object, key);
  if (now && now.value === was.value && now.get === was.get && now.set === was.set) return true;
  return defineProperty(object, key, was);
}

function removeNew(object: object, kept: readonly Kept[]): boolean {
  let whole = true;
  const keys = ownKeys(object);
  for (let i = 0; i < keys.length; i++) {
    let known = false;
    for (let j = 0; j < kept.length && !known; j++)
      known = kept[j]![0] === object && kept[j]![1] === keys[i];
    if (!known) whole = deleteProperty(object, keys[i]!) && whole;
  }
  return whole;
}

function restoreEnvironment(env: NodeJS.ProcessEnv, was: NodeJS.ProcessEnv): void {
  const keys = ownKeys({ ...env, ...was }) as string[];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (was[key] === undefined) delete env[key];
    else if (env[key] !== was[key]) env[key] = was[key];
  }
}

function restoreFolder(folder: string): boolean {
  try {
    if (cwd() !== folder) chdir(folder);
    return true;
  } catch {
    return false;
  }
}
