// Another run beside this one: from its report.html, which never leaves this machine.

const MOST_BYTES = 64 * 2 ** 20;

async function runOfFile(file) {
  if (file.size > MOST_BYTES) throw new Error("it has more than 64 MB");
  // A page that is parsed so runs none of its scripts, and loads nothing.
  return runOfPage(new DOMParser().parseFromString(await file.text(), "text/html"), file.name);
}

function receiveRuns(added, failed) {
  const take = async ([file]) => {
    if (!file) return;
    try {
      added(await runOfFile(file));
    } catch (problem) {
      failed(`The file was not read: ${problem.message}`);
    }
  };
  const input = document.getElementById("files");
  input.addEventListener("change", () => take(input.files));
  const mark = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    take(event.dataTransfer.files);
  });
}
