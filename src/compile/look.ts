/** Source of look(url) for whoever loads bundles: what the default export says, as plain data. */
export const LOOK = `
const plain = (key, value) =>
  value instanceof RegExp ? "/" + value.source + "/" + value.flags
  : typeof value === "function" ? { "a function": key }
  : value;
const look = async (url) => {
  const { default: found } = await import(url);
  if (found === undefined) return { problem: "it has no default export" };
  if (typeof found !== "object" || found === null) return { problem: "its default export is not a hook" };
  if (typeof found.run !== "function") return { problem: "its default export has no run(event)" };
  const { run, ...meta } = found;
  return { meta: JSON.parse(JSON.stringify(meta, plain)) };
};
`;
