const social = new Set(
  'hi hello hey hiya yo good morning afternoon evening night day there thanks thank you so very much a lot ty thx cheers bye goodbye see later cya ok okay k great nice cool awesome perfect lovely sounds got it welcome no problem how are is going doing well fine yes yep sure what is up sup and again all everyone team friend nice to meet'.split(
    ' ',
  ),
);
const socialCore = new Set(
  'hi hello hey hiya yo morning afternoon evening thanks thank ty thx cheers bye goodbye later cya ok okay great nice cool awesome perfect lovely welcome sup'.split(
    ' ',
  ),
);

/** Greetings, thanks and their like, with nothing in them that could be looked up. */
export function isSocial(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? [];
  // Only signs and pictures, such as a smile.
  if (words.length === 0) return true;
  const known = words.map((word) => word.replace(/'(?:s|re|m)$/, ''));
  return words.length <= 12 && known.every((word) => social.has(word)) && known.some((word) => socialCore.has(word));
}

const verbs = '(?:write|draft|give|make|create|prepare|generate|produce|compose|suggest|need|want|like|get|formulate|turn)';
const agent = '(?:(?:coding|code|implementation|dev(?:elopment)?|ai|software)[\\s-]+)?agent';
const requests: readonly RegExp[] = [
  new RegExp(`\\b${verbs}\\b[^.?!\\n]{0,60}\\bprompt\\b`, 'i'),
  new RegExp(`\\bprompt\\b[^.?!\\n]{0,30}\\b(?:for|to)\\s+(?:the\\s+|an?\\s+|my\\s+)?${agent}\\b`, 'i'),
  /\bagent\s+prompt\b/i,
];
const noRequest =
  /\b(?:system\s+prompt|prompt\s+(?:file|template|injection|user|function|module)|(?:command|shell|login|password)\s+prompt|prompts?\s+(?:the\s+)?users?)\b/i;

/** Whether a person asks for a prompt for the coding agent, as against speaking of prompts in their code. */
export function isPromptRequest(text: string): boolean {
  if (/\bagent\s+prompt\b/i.test(text)) return true;
  const asked = requests.some((pattern) => pattern.test(text));
  return asked && (!noRequest.test(text) || new RegExp(`\\bprompt\\s+for\\s+(?:the\\s+|an?\\s+|my\\s+)?${agent}\\b`, 'i').test(text));
}
