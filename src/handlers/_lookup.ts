import { lookup as resolve, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { refusedAddress } from "./_net.ts";
import { Failure } from "./_settled.ts";

type Resolve = (
  name: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name for the very connection that is being made, so that there is no moment between
 * the check and the connect in which the name could come to mean another address.
 */
export function checkedLookup(by: Resolve = resolve): LookupFunction {
  return (name, options, done) => {
    const { hints } = options;
    const family = options.family === "IPv4" ? 4 : options.family === "IPv6" ? 6 : options.family;
    const wanted = {
      all: true as const,
      ...(family === undefined ? {} : { family }),
      ...(hints === undefined ? {} : { hints }),
    };
    by(name, wanted, (error, found) => {
      if (error) return done(error, "", 0);
      const refused = found.map(({ address }) => refusedAddress(address)).find((why) => why !== "");
      if (refused !== undefined) return done(new Failure(`${name}: ${refused}`), "", 0);
      if (options.all) return done(null, found);
      done(null, found[0]?.address ?? "", found[0]?.family ?? 0);
    });
  };
}
