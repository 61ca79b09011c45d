import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/_all.ts";
import { EVENT_NAMES } from "../../src/events.ts";
import { clientProof, type EventProof } from "../../src/prove/client-proof.ts";
import { REPO } from "../_dispatch.ts";
import { clientOf, isOptional, PINNED, type Pinned } from "./_clients.ts";

declare module "vitest" {
  interface TaskMeta {
    proof?: EventProof;
  }
}

const installation = { shell: join(REPO, "shell"), library: join(REPO, "dist/index.js") };
const LONGEST = 280_000;

/** Probes at every event that the adapter says the client has, connected by the installer. */
const adapterOf = (pinned: Pinned): (typeof ADAPTERS)[number] =>
  ADAPTERS.find(({ id }) => id === pinned.harness)!;

const named = (pinned: Pinned): [string, Pinned] => [
  `${adapterOf(pinned).title} ${pinned.version}, event by event`,
  pinned,
];

describe.each(PINNED.map(named))("%s", (_, pinned) => {
  const client = clientOf(pinned);
  const adapter = adapterOf(pinned);
  const isMissing = client.command.length === 0;
  let proofs: readonly EventProof[] = [];

  beforeAll(async () => {
    const wanted = { events: EVENT_NAMES, progress: () => undefined };
    if (!isMissing) proofs = await clientProof(client, adapter, installation, wanted);
  }, LONGEST);

  test.skipIf(isMissing && isOptional)("is installed, in the version we claim", () => {
    expect(client.command, "not installed: npm run test:clients does it").not.toEqual([]);
    expect(adapter.source.version).toBe(pinned.version);
  });

  test.skipIf(isMissing).for(EVENT_NAMES.filter((one) => adapter.surfaces[one]))(
    "%s",
    (event, { task }) => {
      const proof = proofs.find((one) => one.event === event)!;
      task.meta.proof = proof;
      if (proof.state === "unreachable") {
        expect(proof.why).not.toBe("");
        return;
      }
      expect(proof.fired).toBeGreaterThan(0);
      expect(proof.effects.filter(({ holds }) => !holds)).toEqual([]);
      expect(proof).toMatchObject({ state: "held" });
    },
  );
});
