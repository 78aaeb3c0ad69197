import { z } from 'zod';
import { defineNode } from '@/harness/contract/node';
import { commandSetSchema } from '@/harness/planning/artefacts/results';
import { loopFields, roleField } from '../support/config';

const names = (title: string, description: string, initial: string[]) =>
  z.array(z.string().min(1).max(300)).max(50).default(initial).meta({ title, description });

export const workspaceInit = defineNode({
  id: 'workspace-init',
  version: 1,
  category: 'planning',
  layer: 'planning',
  authority: 'llm',
  role: 'step',
  title: 'Workspace init',
  icon: 'folder-cog',
  summary: 'Finds the workspace’s commands and describes the project once, for all phases.',
  keywords: ['initialise', 'project context', 'commands', 'index', 'workspace', 'setup'],
  config: z.object({
    projectContext: z.boolean().default(true).meta({
      title: 'Describe the project',
      description: 'A model writes it once into .bridle/project_context.md; later runs read that file.',
    }),
    refreshContext: z.boolean().default(false).meta({ title: 'Describe it again', description: 'Also when the file is there already.' }),
    role: roleField('primary'),
    steeringFiles: names('Steering documents', 'Added to the context word for word.', ['AGENTS.md']),
    readFiles: names('Files the description is made of', 'Besides the tree of folders; those that are missing are passed over.', [
      'README.md',
      'CONTRIBUTING.md',
      'package.json',
      'pyproject.toml',
      'Cargo.toml',
      'go.mod',
      'Makefile',
    ]),
    fileLines: z.int().min(1).max(5000).default(400).meta({ title: 'Lines read of each file' }),
    treeDepth: z.int().min(1).max(12).default(4).meta({ title: 'Levels of the tree' }),
    roundShare: z.number().min(0.01).max(1).default(0.25).meta({
      title: 'Material of one round, share of the window',
      description: 'A larger workspace is described in several rounds.',
    }),
    maxRounds: z.int().min(1).max(50).default(6).meta({ title: 'Most rounds' }),
    contextWindow: loopFields.contextWindow,
    writeFiles: z.boolean().default(true).meta({
      title: 'Keep both files in .bridle',
      description: 'project_context.md and commands.json. A commands.json that is there is never changed.',
    }),
    workBranch: z.boolean().default(false).meta({
      title: 'Work on a branch',
      description: 'Creates a git branch from the one that is checked out, before anything is planned.',
    }),
    branchPrefix: z.string().min(1).max(100).default('bridle/').meta({ title: 'Prefix of the branch' }),
  }),
  ports: ['next'],
  outputs: z.object({
    context: z.string().meta({ title: 'Project context' }),
    commands: commandSetSchema.meta({ title: 'Commands' }),
    source: z.enum(['file', 'model', 'none']).meta({ title: 'Context from' }),
    branch: z.string().nullable().meta({ title: 'Branch' }),
  }),
  reads: ['planTask'],
  writes: ['planTask', 'commandSet', 'planWarnings'],
  model: (config) => (config.projectContext === false ? null : config.role),
  tools: (config) => (config.workBranch === true ? ['run_command'] : []),
  fields: {
    role: { widget: 'model-role', section: 'Project context', when: { field: 'projectContext', is: true } },
    projectContext: { section: 'Project context' },
    refreshContext: { section: 'Project context', when: { field: 'projectContext', is: true } },
    steeringFiles: { section: 'Project context' },
    readFiles: { section: 'Project context', when: { field: 'projectContext', is: true } },
    fileLines: { section: 'Project context' },
    treeDepth: { section: 'Project context', when: { field: 'projectContext', is: true } },
    roundShare: { section: 'Project context', when: { field: 'projectContext', is: true } },
    maxRounds: { section: 'Project context', when: { field: 'projectContext', is: true } },
    contextWindow: { section: 'Project context' },
    writeFiles: { section: 'Files' },
    workBranch: { section: 'Branch' },
    branchPrefix: { section: 'Branch', when: { field: 'workBranch', is: true } },
  },
  preview: (config) => (config.projectContext === false ? 'commands only' : 'context and commands'),
});
