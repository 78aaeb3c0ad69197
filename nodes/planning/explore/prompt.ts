import { bullet } from '@/harness/planning/artefacts/markdown';
import { renderScopeDocument, type ScopeDocument } from '@/harness/planning/artefacts/scope-document';
import { testInventoryAssumption } from '@/harness/planning/exploration/summary';
import { materialNote, prompt, section } from '../support/prompt';

const testing = [
  'Testing environment: find a working setup first: a declared command, a configuration file, tests that import the framework.',
  'If there is none, look up on the web, where you can, what is current for this language, and record what must be set up as missing. Adapt to primitive tooling.',
].join(' ');

export const exploreSystem = [
  'You explore a codebase for a planned change. You change nothing. Later phases see only what you record, never the files.',
  '1. Work through every assumption below first: confirm it, falsify it, or say that it cannot be verified.',
  '2. For each relevant file call record_file_observation: its role (modify, create, reference, missing), why, and verbatim snippets of 15 to 25 lines with the signatures that a change depends on.',
  '3. Verify central external dependencies in their documentation, where you have a tool for it.',
  '4. Keep what you must not lose with update_scratchpad and add_journal_entry: the conversation may be rebuilt from them.',
  'Never invent or simulate tool output. A file you have not read has no snippets.',
  testing,
  'When done, call task_complete with a summary. It is refused while nothing is recorded.',
  materialNote,
].join('\n');

export const scanSystem = [
  'You scan a codebase for a planned change: list folders, trees and matches, and read no file.',
  'Name every file that matters with its full path relative to the workspace and one sentence why. Then call task_complete with that list.',
  'Invent nothing.',
  materialNote,
].join('\n');

export const diveSystem = [
  'You read a share of the files that matter for a planned change. You change nothing.',
  'For each file report what it does for the task, with verbatim snippets of 15 to 25 lines and exact signatures. Never simulate tool output.',
  'When done, call task_complete with the report.',
  materialNote,
].join('\n');

export const synthesisSystem = [
  'You sum up an exploration as one JSON object. Use only what is below: the recorded observations are authoritative, snippets are copied verbatim.',
  'Sort files into files_to_modify, files_to_create and files_read_for_context. Answer each assumption of the scope in assumptions_resolved.',
  'testing_inventory: framework, directory, file pattern, an assertion excerpt, regression files, coverage per affected file. Invent nothing; leave empty what was not found.',
  materialNote,
].join('\n');

export interface ExploreParts {
  task: string;
  scope: ScopeDocument | null;
  context: string;
}

export const explorePrompt = ({ task, scope, context }: ExploreParts, taken: { scratchpad: string; journal: string } | null): string =>
  prompt(
    section('Task', task),
    scope === null ? '' : renderScopeDocument(scope),
    section(
      'Assumptions to work through first',
      [...(scope?.assumptions ?? []), testInventoryAssumption]
        .map(({ assumption, verify_hint }) => bullet(`${assumption} (${verify_hint})`))
        .join('\n'),
    ),
    section('Project context', context),
    section('Journal so far', taken?.journal ?? ''),
    section('Scratchpad so far', taken?.scratchpad ?? ''),
  );
