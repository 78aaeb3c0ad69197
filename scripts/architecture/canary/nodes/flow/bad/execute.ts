export const executeBad = (): string => 'bad';
