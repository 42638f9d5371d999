/** How dates, times and durations look (RFC 3339, and the looser ISO 8601 forms that validators know). */

import type { FormatShape } from './format-shape.ts';

const monthAndDay = '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';
const recentYear = '(199\\d|20[0-3]\\d|2040)';
const farYear = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const leapDay = '(199[26]|20[02][048]|20[13][26]|2040)-02-29';
const date = `(${recentYear}-${monthAndDay}|${leapDay})`;
const farDate = `${farYear}-${monthAndDay}`;
const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
const fraction = '\\.\\d{1,9}';
const offset = '[+-](0\\d|1[0-2]):(00|30|45)';
const wideOffset = '[+-]([01]\\d|2[0-3]):[0-5]\\d';
const hullDate = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const hullTime = '\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?';
const hullOffset = '([Zz]|[+-]\\d\\d(:?\\d\\d)?)';

const wrongDates = [
  '2024-02-30',
  '2023-02-29',
  '1900-02-29',
  '2024-13-01',
  '2024-00-10',
  '2024-04-31',
  '2024-1-5',
  '24-01-05',
  '05/01/2024',
];
const wrongTimes = [
  '25:61:00Z',
  '24:00:00Z',
  '12:60:00Z',
  '12:00:61Z',
  '12:00Z',
  '12:00',
  '1:00:00Z',
  '120000Z',
  '12:00:00+25:00',
  '12:00:00.Z',
];
const wrongDateTimes = [
  ...['2024-02-30T12:00:00Z', '2024-01-01T25:61:00Z', '2024-01-01T12:00:61Z', '2024-01-01T12:00Z', '2024-01-01', '1704110400'],
  ...['2024-01-01T12:00:00+25:00', '2024-01-01T12:00:00.Z', '2024-01-01TZ', 'Mon, 01 Jan 2024 12:00:00 GMT', '2024-01-01T12:00:00 Z'],
];

/** By format name. */
export const timeShapes: readonly (readonly [string, FormatShape])[] = [
  [
    'date',
    {
      simplest: '2000-01-01',
      forms: [`^${recentYear}-${monthAndDay}$`, `^${leapDay}$`, `^${farDate}$`],
      hull: `^${hullDate}$`,
      edges: ['2000-02-29', '2024-02-29', '1970-01-01', '1969-12-31', '1999-12-31', '2038-01-20', '0001-01-01', '9999-12-31', '1900-02-28'],
      wrong: [...wrongDates, '2024-01-01T00:00:00Z', '20240101', '2024-01', '2024-01-01Z'],
    },
  ],
  [
    'date-time',
    {
      simplest: '2000-01-01T00:00:00Z',
      forms: [
        `^${date}T${time}Z$`,
        `^${date}T${time}${offset}$`,
        `^${date}T${time}${fraction}(Z|${offset})$`,
        `^${farDate}T${time}(${fraction})?(Z|${wideOffset})$`,
      ],
      hull: `^${hullDate}[Tt]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|${wideOffset})$`,
      edges: [
        ...[
          '1990-12-31T23:59:60Z',
          '2016-12-31T23:59:60Z',
          '2017-01-01T00:59:60+01:00',
          '2000-02-29T23:59:59Z',
          '2024-02-29T00:00:00+14:00',
        ],
        ...['1970-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2038-01-19T03:14:08Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
        ...['2024-03-31T02:30:00+01:00', '2024-10-27T02:30:00+02:00', '2000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.123456789-09:30'],
        ...['2000-01-01T00:00:00-00:00', '2000-01-01T00:00:00+23:59', '2000-01-01T00:00:00-12:00'],
      ],
      wrong: [...wrongDateTimes, '2024-01-01 12:00:00Z', '2024-01-01T12:00:00', '2024-01-01T12:00:00+0100'],
    },
  ],
  [
    'date-time-local',
    {
      simplest: '2000-01-01T00:00:00',
      forms: [`^${date}T${time}$`, `^${date}[T ]${time}${fraction}$`, `^${farDate}[T ]${time}$`],
      hull: `^${hullDate}[T ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?$`,
      edges: ['2000-02-29T23:59:59', '2024-03-31T02:30:00', '1970-01-01T00:00:00', '9999-12-31T23:59:59', '2000-01-01 00:00:00'],
      wrong: [...wrongDateTimes, '2024-01-01T12:00:00Z', '2024-01-01T12:00:00+01:00', '2024-01-01T23:59:60'],
    },
  ],
  [
    'time',
    {
      simplest: '00:00:00Z',
      forms: [`^${time}Z$`, `^${time}${offset}$`, `^${time}${fraction}(Z|${wideOffset})$`],
      hull: `^${hullTime}${hullOffset}$`,
      edges: ['23:59:59Z', '23:59:60Z', '00:59:60+01:00', '12:00:00.123456789Z', '00:00:00-00:00', '12:00:00+23:59'],
      wrong: [...wrongTimes, '12:00:00'],
    },
  ],
  [
    'iso-time',
    {
      simplest: '00:00:00',
      forms: [`^${time}$`, `^${time}(Z|${offset})$`, `^${time}${fraction}(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`],
      hull: `^${hullTime}${hullOffset}?$`,
      edges: ['23:59:59', '23:59:60Z', '12:00:00+0100', '12:00:00+01', '12:00:00.5'],
      wrong: wrongTimes,
    },
  ],
  [
    'iso-date-time',
    {
      simplest: '2000-01-01T00:00:00',
      forms: [
        `^${date}T${time}$`,
        `^${date}T${time}(Z|${offset})$`,
        `^${date}[T ]${time}(${fraction})?(Z|[+-](0\\d|1[0-2])(:?[0-5]\\d)?)?$`,
        `^${farDate}T${time}$`,
      ],
      hull: `^${hullDate}[Tt\\s]${hullTime}${hullOffset}?$`,
      edges: ['2000-02-29 23:59:59', '2016-12-31T23:59:60Z', '1970-01-01T00:00:00+0000', '2000-01-01T00:00:00.5', '9999-12-31T23:59:59'],
      wrong: wrongDateTimes.filter((text) => !text.endsWith(' Z')),
    },
  ],
  [
    'duration',
    {
      simplest: 'P0D',
      forms: [
        '^P([1-9]\\d?D|[1-9]\\d?M([1-9]\\d?D)?|[1-9]\\d?Y([1-9]\\d?M([1-9]\\d?D)?)?)$',
        '^PT([1-9]\\d{0,2}S|[1-9]\\d?M([1-9]\\d?S)?|[1-9]\\d?H([1-9]\\d?M([1-9]\\d?S)?)?)$',
        '^P([1-9]\\d?D|[1-9]\\d?Y[1-9]\\d?M([1-9]\\d?D)?)T([1-9]\\d?H([1-9]\\d?M)?|\\d{1,5}S)$',
        '^P\\d{1,4}W$',
      ],
      hull: '^P(\\d+[YMDW])*(T(\\d+[HMS])+)?$',
      edges: ['PT0S', 'P0D', 'P0W', 'P1Y2M3DT4H5M6S', 'PT36H', 'P400D', 'PT999999999S', 'P0Y'],
      wrong: ['P', 'PT', 'P1', '1D', 'P1S', 'PT1D', 'P-1D', 'P1D2Y', 'P1W2D', 'P1DT', 'PT1.5H', 'p1d', 'P1Y2W', '01:00:00', '3600'],
    },
  ],
];
