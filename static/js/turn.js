/* Calls a reader who must act while this page is behind others: by its title, its icon and a short sound. */
"use strict";
const mark = document.querySelector("[rel=icon]"), calm = mark.href;
function callReader() {
  const { yours, icon, sound } = document.getElementById("turn").dataset;
  if (!document.title.startsWith("●")) document.title = `● ${yours} · ${document.title}`;
  mark.href = icon;
  if (sound === undefined) return;
  const audio = new AudioContext(), tone = new OscillatorNode(audio, { frequency: 660 });
  tone.connect(new GainNode(audio, { gain: .1 })).connect(audio.destination);
  tone.onended = () => audio.close();
  tone.start();
  tone.stop(audio.currentTime + .2);
}
document.addEventListener("visibilitychange", () => { if (!document.hidden) mark.href = calm; });
