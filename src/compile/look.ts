/** Source of look(url) for whoever loads bundles: what the default export says, as plain data. */
export const LOOK = `
const isPlain = (value) => {
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
};
// What no file could say becomes a member that nobody knows: left out, a condition would hold always.
const odd = (meta, holder, key, value) =>
  typeof value === "function" ? "a function"
  : value === undefined && holder !== meta ? "an undefined"
  : value === null && holder === meta && key === "matcher" ? "a null"
  : typeof value === "object" && value !== null && !isPlain(value) ? "a " + value.constructor?.name
  : "";
const plainIn = (meta) => function (key, value) {
  if (value instanceof RegExp) return "/" + value.source + "/" + value.flags;
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  const what = key === "" && value === meta ? "" : odd(meta, this, key, value);
  return what === "" ? value : { [what]: key };
};
const look = async (url) => {
  const { default: found } = await import(url);
  if (found === undefined) return { problem: "it has no default export" };
  if (typeof found !== "object" || found === null) return { problem: "its default export is not a hook" };
  if (typeof found.run !== "function") return { problem: "its default export has no run(event)" };
  const { run, ...meta } = found;
  return { meta: JSON.parse(JSON.stringify(meta, plainIn(meta))) };
};
`;
