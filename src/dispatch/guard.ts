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
// The very objects that everybody gets; an import would be a copy, made of getters.
const builtin = process.getBuiltinModule.bind(process);

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
  ...[Buffer, Buffer.prototype, Uint8Array.prototype],
  ...[builtin("node:fs"), builtin("node:os"), builtin("node:path"), builtin("node:url")],
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

/** One list each: what is gone through after every module must not allocate anything. */
interface Baseline {
  readonly objects: readonly Shared[];
  readonly keys: readonly PropertyKey[];
  /** What is found there; for an accessor, whose value says nothing, ACCESSOR. */
  readonly values: readonly unknown[];
  readonly descriptors: readonly PropertyDescriptor[];
  /** How many properties each of WHOLE had. */
  readonly counts: readonly number[];
}

type Shared = Readonly<Record<PropertyKey, unknown>>;

const ACCESSOR = Symbol("accessor");

function remember(): Baseline {
  const objects: Shared[] = [];
  const keys: PropertyKey[] = [];
  const values: unknown[] = [];
  const descriptors: PropertyDescriptor[] = [];
  const keep = (object: object, key: PropertyKey): void => {
    const was = getOwnPropertyDescriptor(object, key);
    if (!was) return;
    objects.push(object as Shared);
    keys.push(key);
    values.push("value" in was ? was.value : ACCESSOR);
    descriptors.push(was);
  };
  for (const object of WHOLE) for (const key of ownKeys(object)) keep(object, key);
  for (const [object, own] of PARTLY) for (const key of own) keep(object, key);
  const counts = WHOLE.map((object) => ownKeys(object).length);
  return { objects, keys, values, descriptors, counts };
}

/** As it was before the first module; every module leaves it so. */
let baseline: Baseline | undefined;

/** Called before a module runs; the returned function puts back what it bent, and says if it could. */
export function keepShared(): () => boolean {
  const kept = (baseline ??= remember());
  const { env } = process;
  const [folder, variables] = [cwd(), { ...env }];
  return () => {
    let whole = true;
    for (let i = 0; i < kept.counts.length; i++)
      if (ownKeys(WHOLE[i]!).length !== kept.counts[i]) whole = removeNew(WHOLE[i]!, kept) && whole;
    whole = putBack(kept) && whole;
    restoreEnvironment(env, variables);
    return restoreFolder(folder) && whole;
  };
}

function putBack({ objects, keys, values, descriptors }: Baseline): boolean {
  let whole = true;
  for (let i = 0; i < objects.length; i++) {
    if (isAsItWas(objects[i]!, keys[i]!, values[i])) continue;
    const [now, was] = [getOwnPropertyDescriptor(objects[i]!, keys[i]!), descriptors[i]!];
    if (now && now.value === was.value && now.get === was.get && now.set === was.set) continue;
    whole = defineProperty(objects[i]!, keys[i]!, was) && whole;
  }
  return whole;
}

/** A glance, which settles nearly all of them. */
function isAsItWas(object: Shared, key: PropertyKey, value: unknown): boolean {
  if (value === ACCESSOR) return false;
  try {
    return object[key] === value;
  } catch {
    // An accessor now, and one that throws.
    return false;
  }
}

function removeNew(object: object, { objects, keys: kept }: Baseline): boolean {
  let whole = true;
  const keys = ownKeys(object);
  for (let i = 0; i < keys.length; i++) {
    let known = false;
    for (let j = 0; j < kept.length && !known; j++)
      known = objects[j] === object && kept[j] === keys[i];
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
