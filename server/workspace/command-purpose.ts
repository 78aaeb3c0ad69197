/** What a command is wanted for. */
export type CommandPurpose = 'syntax' | 'lint' | 'lint_fix' | 'format' | 'unit' | 'integration';

/** A command that the workspace suggests, or a remark why a likely one does not count. */
export type Suggestion = { command: string; because: string } | { remark: string };
