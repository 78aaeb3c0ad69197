/** Takes mails and keeps them; a real one would hand them to a mail server. */
export function createOutbox() {
  const mails = [];
  return {
    send({ to, subject, text }) {
      mails.push({ to, subject, text });
    },
    /** What was sent to an address, oldest first. */
    sentTo: (to) => mails.filter((mail) => mail.to === to),
  };
}
