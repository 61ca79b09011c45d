import { defineConfig } from "vitest/config";

// Real agents, driven by scripts/clients.mjs.
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    globalSetup: "test/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
