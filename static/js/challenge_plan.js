"use strict";
// The plan of a player's off-board cycle: presses are kept on the phone until they have arrived, in their order, for each
// builds on those before it. One that is refused stops those behind it. Without JavaScript the forms are sent as they are.
const DOUBLE_TAP = 1500;
const OF_THE_PILOT = new URL("..", location).href;
const others = document.getElementById("unsent-others");
const words = document.getElementById("unsent-words");

const show = () => {
  const presses = kept();
  const refused = presses.find((press) => press.refused);
  unsent.hidden = presses.length === 0;
  words.textContent = refused
    ? `${words.dataset.refused} ${refused.refused}`
    : `${words.dataset.waits} ${presses.length}`;
  document.getElementById("unsent-presses").replaceChildren(
    ...presses.map((press) => {
      const item = document.createElement("li");
      item.textContent = press.title;
      return item;
    }),
  );
  others.hidden = !(refused && presses.length > 1);
};

let isSending = false;
const sendKept = async () => {
  if (isSending) {
    return;
  }
  isSending = true;
  let leadsTo = "";
  for (let next = kept()[0]; next && !next.refused; next = kept()[0]) {
    const outcome = await send(next.fields, next.address);
    if (outcome.waits) {
      break;
    }
    const rest = kept().filter((press) => press.id !== next.id);
    keep(outcome.refused ? [{ ...next, refused: outcome.refused }, ...rest] : rest);
    leadsTo = outcome.leadsTo || leadsTo;
  }
  isSending = false;
  show();
  // The page follows the plan once nothing more of it waits to be sent.
  if (leadsTo && !kept().some((press) => !press.refused)) {
    location.assign(leadsTo);
  }
};

let last = { fields: "", time: -DOUBLE_TAP };
document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.method !== "post" || !form.action.startsWith(OF_THE_PILOT)) {
    return;
  }
  event.preventDefault();
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "client_id");
  if (button?.name) {
    fields.push([button.name, button.value]);
  }
  const written = JSON.stringify(fields);
  const isDoubleTap = written === last.fields && event.timeStamp - last.time < DOUBLE_TAP;
  last = { fields: written, time: event.timeStamp };
  if (isDoubleTap) {
    return;
  }
  const id = clientId();
  const named = form.querySelector(".offer-title");
  const title = (named || button || form).textContent.trim().replace(/\s+/g, " ");
  // What was refused makes room for the next try.
  const waiting = kept().filter((press) => !press.refused);
  keep([...waiting, { id, title, address: form.action, fields: [...fields, ["client_id", id]] }]);
  show();
  sendKept();
});
others.addEventListener("click", () => {
  keep(kept().filter((press) => !press.refused));
  show();
  sendKept();
});
document.getElementById("unsent-drop").addEventListener("click", () => {
  keep([]);
  show();
});
addEventListener("online", sendKept);
setInterval(sendKept, RETRY_AFTER);
show();
sendKept();
