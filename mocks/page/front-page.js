/** The front page of a mock: keys, clock, chaos and reset, and the start of its other parts. It uses only the endpoints below `/__mock/`. */

import { byId, codeBlock, control, copyButton, create, fieldOf, formById, say } from './elements.js';
import { showOperations } from './operation-forms.js';
import { clearLog, followRequests } from './request-log.js';

/**
 * @typedef {import('../control/control-bodies.ts').ServedState} ServedState
 * @typedef {import('../control/control-bodies.ts').ClockState} ClockState
 * @typedef {import('../control/control-bodies.ts').ChaosState} ChaosState
 */

/** The last reported state of the mock's clock, and when it arrived. @type {{ state: ClockState, at: number } | undefined} */
let clock;

await start();

async function start() {
  const [served, keys] = await Promise.all([control('', 'GET'), control('keys')]);
  if (served === undefined || keys === undefined) return;
  showAbout(served);
  showKeys(keys.keys);
  listenToForms();
  showClock(await control('clock'));
  showChaos(await control('chaos'));
  setInterval(tick, 1000);
  followRequests({ clock: showClock, chaos: showChaos });
  const first = await showOperations(served, keys.keys);
  byId('first').replaceChildren(
    codeBlock('A first command', first),
    copyButton('Copy the command', () => first),
  );
}

/** @param {ServedState} served */
function showAbout({ url, seed, contracts, mutants }) {
  const apis = contracts.map(({ title, version }) => `${title} ${version}`).join(', ');
  byId('about').replaceChildren(create('code', {}, url), ` serves ${apis}. Seed ${seed}.`);
  if (mutants.length === 0) return;
  const titles = mutants.map(({ id, title }) => `${id} (${title})`).join(', ');
  byId('about').append(create('strong', { class: 'bad' }, ` It deviates from its contract: ${titles}.`));
}

/** @param {Record<string, string>} keys */
function showKeys(keys) {
  const rows = Object.entries(keys).flatMap(([role, key]) => [
    create('dt', {}, role),
    create(
      'dd',
      {},
      create('code', {}, key),
      copyButton(`Copy the key ${role}`, () => key),
    ),
  ]);
  byId('roles').replaceChildren(...rows);
  if (rows.length === 0) byId('keys').append(create('p', {}, 'No operation needs a key.'));
}

/** @param {ClockState | undefined} state */
function showClock(state) {
  if (state === undefined) return;
  clock = { state, at: Date.now() };
  tick();
}

/** Shows the time of the mock's clock, which may go on. */
function tick() {
  if (clock === undefined) return;
  const { now, pace } = clock.state;
  const shown = new Date(Date.parse(now) + (Date.now() - clock.at) * pace);
  const speed = pace === 0 ? 'stopped' : pace === 1 ? 'running in real time' : `running at ${pace} times real time`;
  byId('now').textContent = `${shown.toISOString().replace(/\.\d+/, '')}, ${speed}`;
}

/** @param {ChaosState | undefined} state */
function showChaos(state) {
  if (state === undefined) return;
  const { rules } = state;
  byId('chaos-state').textContent = rules.length === 0 ? 'Chaos is off.' : `Chaos is on: ${rules.join('; ')}`;
  byId('chaos-state').className = rules.length === 0 ? '' : 'doubtful';
  const field = formById('rules').elements.namedItem('rules');
  if (rules.length > 0 && field instanceof HTMLTextAreaElement && field !== document.activeElement) field.value = rules.join('; ');
}

/** @param {object} change */
async function changeClock(change) {
  showClock(await control('clock', 'POST', change));
}

function listenToForms() {
  for (const button of document.querySelectorAll('button[data-advance]'))
    if (button instanceof HTMLElement) button.addEventListener('click', () => changeClock({ advance: button.dataset['advance'] }));
  const forms = {
    move: (/** @type {HTMLFormElement} */ form) => changeClock({ set: fieldOf(form, 'instant') }),
    pace: (/** @type {HTMLFormElement} */ form) => changeClock({ pace: Number(fieldOf(form, 'pace')) }),
    rules: async (/** @type {HTMLFormElement} */ form) => showChaos(await control('chaos', 'POST', { set: fieldOf(form, 'rules') })),
  };
  for (const [id, send] of Object.entries(forms))
    formById(id).addEventListener('submit', (event) => {
      event.preventDefault();
      send(formById(id));
    });
  byId('chaos-off').addEventListener('click', async () => showChaos(await control('chaos', 'DELETE')));
  byId('reset').addEventListener('click', async () => {
    const state = await control('reset', 'POST');
    if (state === undefined) return;
    showClock(state.clock);
    showChaos(state.chaos);
    clearLog();
    say('The mock was reset. Its records were kept.');
  });
}
