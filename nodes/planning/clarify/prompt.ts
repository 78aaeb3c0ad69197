import { materialNote, prompt, section } from '../support/prompt';

export const clarifySystem = [
  'You prepare a coding task for planning. Find out whether you understand it and whether what it says about the code is true. You change nothing.',
  '- Trust what the task cites with a path or an address; check what it merely claims, with as few calls as it takes.',
  '- Your turns are a ceiling, not a quota: a clear task needs none of them.',
  '- Ask a person, with request_clarification, only what nobody but them can decide. Never ask what the code can tell you. One question per call.',
  '- Invent nothing: no files, names, answers or tool output. Mark what stays uncertain as UNCERTAIN, so that it can be recorded as an assumption.',
  'End with one paragraph and no tool call, or with task_complete: the task as you understand it, the facts you verified and where, the answers you received.',
  materialNote,
].join('\n');

/** Without tools there is nothing to look at and nobody to ask. */
export const singleTurnSystem = [
  'You prepare a coding task for planning. Reply with one paragraph: the task as you understand it, and what stays uncertain, marked UNCERTAIN.',
  'You have no tools. Invent nothing: no files, names or answers.',
  materialNote,
].join('\n');

export const clarifyPrompt = ({ task, context, memories }: { task: string; context: string; memories: string }): string =>
  prompt(section('Task', task), section('Project context', context), section('What earlier work taught', memories));
