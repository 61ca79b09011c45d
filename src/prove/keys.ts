import { redact } from "../dispatch/redact.ts";
import { Fault } from "../fault.ts";
import { DUMMY } from "./clients/_driver.ts";

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSW(OR)?D|CREDENTIALS?)(_|$)/i;

/** A client gets dummy keys only: what looks like a real one is never handed to it. */
export function refuseKeys(env: Readonly<Record<string, string>>): void {
  const found = Object.entries(env).filter(
    ([name, value]) =>
      value !== "" && value !== DUMMY && (SECRET_NAME.test(name) || redact(value) !== value),
  );
  if (found.length > 0)
    throw new Fault(
      "real-key",
      `would pass on what looks like a real key: ${found.map(([name]) => name).join(", ")}`,
      { hint: "unset it; no client needs a key to be proven" },
    );
}
