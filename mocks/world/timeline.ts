/** What happens to a record in the course of time. Its events are fixed beforehand; the clock only tells which of them have happened. */

/** Something that happens to a record. The first event is its creation. */
export interface HistoryEvent<State> {
  /** In milliseconds since 1970-01-01T00:00:00Z, on a whole second. */
  readonly at: number;
  /** What the record is like from then on. */
  readonly state: State;
}

/** All events of a record, in the order of time. */
export type Timeline<State> = readonly [HistoryEvent<State>, ...HistoryEvent<State>[]];

/** Something that is to happen, and the fields of the state that it changes. */
export interface Change<State> {
  readonly at: number;
  readonly fields: Partial<State>;
}

/** The timeline of a record that is created with a state and then changes, in whatever order the changes are given. */
export function makeTimeline<State>(at: number, state: State, changes: readonly Change<State>[]): Timeline<State> {
  const timeline: [HistoryEvent<State>, ...HistoryEvent<State>[]] = [{ at, state }];
  let current = state;
  for (const change of [...changes].sort((one, other) => one.at - other.at)) {
    current = { ...current, ...change.fields };
    timeline.push({ at: change.at, state: current });
  }
  return timeline;
}

/** The event that made a record what it is at an instant; `undefined` while the record does not exist. */
export function latestEvent<State>(timeline: Timeline<State>, nowMs: number): HistoryEvent<State> | undefined {
  return timeline.findLast((event) => event.at <= nowMs);
}
