import { z } from 'zod';

const tools = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });
const text = (title: string, initial: string) => z.string().min(1).default(initial).meta({ title });

export const chatContractConfigSchema = z.object({
  alwaysExplore: z
    .boolean()
    .default(true)
    .meta({ title: 'Look before answering', description: 'A reply of substance needs a grounding tool call before it.' }),
  minGroundingCalls: z.int().min(1).default(1).meta({ title: 'Fewest grounding calls' }),
  minQuestions: z.int().min(1).default(3).meta({ title: 'Fewest questions' }),
  maxQuestions: z.int().min(1).default(5).meta({ title: 'Most questions' }),
  corrections: z.int().min(0).default(1).meta({ title: 'Corrections before a violation is recorded' }),
  groundingTools: tools('Tools that count as looking', [
    'grep_files',
    'read_file',
    'list_directory',
    'directory_tree',
    'search_internet',
    'fetch_url',
    'search_reference',
    'query_project_context',
    'search_wiki',
    'fetch_wiki_page',
    'search_workspace_memory',
    'list_project_todos',
    'list_recent_sessions',
    'get_session_summary',
  ]),
  promptTitle: text('Title of the prompt', '## Suggested Agent Prompt'),
  referencesTitle: text('Title of its references', '### References'),
});
export type ChatContractConfig = z.output<typeof chatContractConfigSchema>;
export const defaultChatContractConfig: ChatContractConfig = chatContractConfigSchema.parse({});
