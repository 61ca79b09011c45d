export const charge = (key: string, cents: number): string => `${key}:${cents}`;
