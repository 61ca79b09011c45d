import { type Answer, type Call, spoken } from "./_call.ts";
export async function demo(_: Call): Promise<Answer> { return spoken(0); }
