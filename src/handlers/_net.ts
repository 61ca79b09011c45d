import { BlockList, isIP } from "node:net";

/** Per layer that has one, the hosts it lets through: all of them must agree. */
export type AllowLists = readonly (readonly string[])[];

/** Why a request to this place is refused before anything is looked up; "" when it is not. */
export function refusedHost(url: URL, lists: AllowLists): string {
  const host = hostOf(url);
  if (!lists.every((list) => list.some((entry) => allows(entry, url))))
    return `${url.host} is not in allowed_hosts`;
  if (lists.some((list) => list.some((entry) => entry.toLowerCase() === host))) return "";
  if (METADATA_NAMES.includes(host.replace(/\.$/, "")))
    return `${host} is a metadata service, which hooks may not reach`;
  return isIP(host) === 0 ? "" : refusedAddress(host);
}

/** Without the brackets of IPv6, in lower case. */
export const hostOf = (url: URL): string => url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");

/** `host`, `host:port`, `*.suffix`, `*.suffix:port`; brackets around IPv6. */
function allows(entry: string, url: URL): boolean {
  const isBare = !entry.startsWith("[") && entry.split(":").length > 2;
  const [, name = "", port = ""] = isBare
    ? [entry, entry]
    : (/^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []);
  const wanted = name.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const host = hostOf(url);
  const actual = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  if (port !== "" && port !== actual) return false;
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}

/** The vendors' own pages name these; most of them lead to 169.254.169.254. */
const METADATA_NAMES: readonly string[] = [
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
];

/** Network, length of its prefix, what it is. */
const REFUSED = [
  ["0.0.0.0", 8, "an unspecified address"],
  ["169.254.0.0", 16, "a link-local or metadata address"],
  ["100.100.100.200", 32, "a metadata address"],
  ["192.0.0.192", 32, "a metadata address"],
  ["168.63.129.16", 32, "a metadata address"],
  ["224.0.0.0", 4, "a multicast address"],
  ["240.0.0.0", 4, "a reserved address"],
  ["::", 128, "an unspecified address"],
  ["fe80::", 10, "a link-local address"],
  ["fd00:ec2::254", 128, "a metadata address"],
  ["fd20:ce::254", 128, "a metadata address"],
  ["ff00::", 8, "a multicast address"],
] as const;

const blocks = REFUSED.map(([network, prefix, what]) => {
  const list = new BlockList();
  list.addSubnet(network, prefix, familyOf(network));
  return { list, what };
});

/** Why this address is refused; "" for loopback, private and public ones. */
export function refusedAddress(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const forms = [plain, ...embedded(plain)];
  const hit = blocks.find(({ list }) => forms.some((form) => list.check(form, familyOf(form))));
  return hit === undefined ? "" : `${address} is ${hit.what}, which hooks may not reach`;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Where IPv6 carries IPv4: which addresses, and the places of the four bytes in them. */
const CARRIERS: readonly (readonly [RegExp, readonly (readonly number[])[]])[] = [
  // Compatible, mapped, translated (RFC 2765) and NAT64 (RFC 6052).
  [/^0:0:0:0:0:0:(?!0:)|^0:0:0:0:0:ffff:|^0:0:0:0:ffff:0:|^64:ff9b:0:0:0:0:/, [[12, 13, 14, 15]]],
  // RFC 8215: whoever runs it chooses the length, and with it the place.
  [
    /^64:ff9b:1:/,
    [
      [12, 13, 14, 15],
      [6, 7, 9, 10],
      [7, 9, 10, 11],
      [9, 10, 11, 12],
    ],
  ],
  // 6to4, and ISATAP (RFC 5214) below any prefix.
  [/^2002:/, [[2, 3, 4, 5]]],
  [/^(?:[^:]+:){4}(?:0|200):5efe:/, [[12, 13, 14, 15]]],
];

/** All of them end at the IPv4 address. */
function embedded(address: string): string[] {
  if (!address.includes(":")) return [];
  const g = groups(address);
  const text = g.join(":");
  const bytes = g.flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]);
  const places = CARRIERS.flatMap(([form, at]) => (form.test(text) ? at : []));
  const carried = places
    .map((at) => at.map((place) => bytes[place]!))
    // A place that is not used is full of zeros.
    .filter((four) => !text.startsWith("64:ff9b:1:") || four[0] !== 0);
  // Teredo (RFC 4380): the server, and the client with every bit turned round.
  const teredo = text.startsWith("2001:0:")
    ? [bytes.slice(4, 8), bytes.slice(12).map((byte) => 255 - byte)]
    : [];
  return [...carried, ...teredo].map((four) => four.join("."));
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groups(address: string): string[] {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...part: string[]) => {
    const [a, b, c, d] = part.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [left = "", right] = hex.split("::");
  const list = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const head = list(left);
  const tail = right === undefined ? [] : list(right);
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...tail];
  return all.map((group) => parseInt(group, 16).toString(16));
}
