"use strict";
// Claims of a phone: a claim that cannot be sent is kept on the phone and sent again (challenge_unsent.js). Each stands
// for itself. Without JavaScript the form is sent as it is.
const age = document.getElementById("age");
const form = document.getElementById("claim");

const show = () => {
  const claims = kept();
  unsent.hidden = claims.length === 0;
  const refused = claims.find((claim) => claim.refused);
  unsent.textContent = refused
    ? `${unsent.dataset.refused} ${refused.refused}`
    : `${unsent.dataset.waits} ${claims.length}`;
};

let isSending = false;
const sendKept = async () => {
  if (isSending) {
    return;
  }
  isSending = true;
  let isSent = false;
  for (const claim of kept().filter((each) => !each.refused)) {
    const outcome = await send(claim.fields, location.pathname);
    if (outcome.waits) {
      break;
    }
    const others = kept().filter((each) => each.id !== claim.id);
    keep(outcome.refused ? [...others, { ...claim, refused: outcome.refused }] : others);
    isSent = isSent || !outcome.refused;
  }
  isSending = false;
  show();
  if (isSent) {
    location.assign(location.pathname);
  }
};

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const id = clientId();
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "client_id");
    // A refused claim makes room for the next try.
    keep([...kept().filter((each) => !each.refused), { id, fields: [...fields, ["client_id", id]] }]);
    show();
    sendKept();
  });
}
addEventListener("online", sendKept);
setInterval(() => {
  const minutes = Math.floor(performance.now() / 60000);
  age.firstChild.textContent = minutes ? `${age.dataset.old} ${minutes}. ` : `${age.dataset.fresh} `;
  if (kept().some((each) => !each.refused)) {
    sendKept();
  }
}, RETRY_AFTER);
show();
sendKept();
