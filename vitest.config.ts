import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // These drive real agents and have a script of their own: npm run test:clients.
    exclude: ["test/clients/**"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // More than the cores of a small machine: much of the time is waiting for time-outs.
    maxWorkers: 3,
  },
});
