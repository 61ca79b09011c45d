/**
 * A text as a reader sees it: without colours and cursor movements of terminals, without what turns
 * the direction of writing, and without characters that nobody sees but a model reads. Before secrets
 * are looked for, because a colour in the middle of one would hide it.
 */
export const visible = (text: string): string =>
  text.replaceAll(SEQUENCE, "").replaceAll(UNSEEN, "").replaceAll(CONTROL, " ");

/** CSI and OSC, in both spellings of their beginning. */
const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)/g;

/** Zero width, marks of direction, annotations, tags; the joiners stay, since scripts need them. */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** All but tabs and line ends. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
