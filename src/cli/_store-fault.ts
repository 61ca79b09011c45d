import { Fault } from "../fault.ts";
import { adviceFor } from "../memory/run-silent.ts";

/** What a disk or the database says, with what can be done about it. */
export async function explained<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const hint = adviceFor(error);
    if (hint === undefined) throw error;
    throw new Fault("store", (error as Error).message, { hint, cause: error });
  }
}
