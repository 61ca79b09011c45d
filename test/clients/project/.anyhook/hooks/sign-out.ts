import { writeFileSync } from "node:fs";
import { defineHook } from "anyhook";

export default defineHook({
  name: "sign-out",
  event: "SessionEnd",
  run(event) {
    writeFileSync("signed-out.txt", `${event.harness}\n`);
  },
});
