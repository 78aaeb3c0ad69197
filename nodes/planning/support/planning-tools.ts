/** The reading tools of the planning phases (planning.md §2, §4, §6). A flow that grants fewer offers fewer. */
export const readingTools = ['grep_files', 'read_file', 'list_directory', 'directory_tree'] as const;
export const internetTools = ['search_internet', 'fetch_url'] as const;
export const referenceTools = ['search_reference', 'search_wiki', 'fetch_wiki_page'] as const;
