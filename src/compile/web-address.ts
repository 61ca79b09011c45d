import { text, type ValueType } from "./values.ts";

export const webAddress: ValueType<string> = {
  schema: text.schema,
  read: (node, complain) => {
    const written = text.read(node, complain);
    const wrong = written === undefined ? undefined : wrongAddress(written);
    if (wrong === undefined) return written;
    complain("bad-url", wrong.message, wrong.hint, node.line);
    return undefined;
  },
};

/**
 * What is wrong with an address. It is kept in the store and shown, so it must not hold a password;
 * and no message repeats it, for the same reason.
 */
export function wrongAddress(written: string): { message: string; hint: string } | undefined {
  const isWeb = /^https?:\/\//i.test(written) && URL.canParse(written);
  if (!isWeb) return { message: "is no web address", hint: "write http://… or https://…" };
  const { username, password } = new URL(written);
  const isPlain = username === "" && password === "";
  return isPlain ? undefined : { message: "holds a user name or a password", hint: HINT };
}

const HINT =
  'for a url write headers: { authorization: "Basic ${VAR}" } and allowed_env: [VAR]; ' +
  "for a base_url name the key's variable in key_env";
