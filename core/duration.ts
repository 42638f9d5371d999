/** Reads a duration such as `P1DT2H` (ISO 8601) in milliseconds, with days of 24 hours; `undefined` for other texts, and for months and years, which have no fixed length. */
export function readDuration(text: string): number | undefined {
  const match = /^([+-]?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?$/.exec(text);
  if (match === null || /[PT]$/.test(text)) return undefined;
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const durationMs = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return match[1] === '-' ? -durationMs : durationMs;
}
