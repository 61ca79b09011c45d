import { defineConfig } from "vitest/config";

/** Floods, sieges, kills at every instant, and the examples' own agents: `npm run test:all`, as CI does. */
const LONG = [
  ...["attack", "compiler-death", "examples", "full-disk", "hostile-files", "lanes-at-odds"],
  ...["odd-deliveries", "regex-bounds", "siege", "soak", "install/commands", "install/hostile"],
  ...["install/killed", "memory/durability", "memory/hostile", "prove/hostile"],
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The first drive real agents and have a script of their own: npm run test:clients.
    exclude: ["test/clients/**", ...(process.env["ANYHOOK_TESTS"] === "all" ? [] : LONG)],
    globalSetup: "test/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // More than the cores of a small machine: much of the time is waiting for time-outs.
    maxWorkers: 3,
  },
});
