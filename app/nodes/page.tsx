import type { Metadata } from 'next';
import { NodeIndex } from '@/components/reference/node-index';

export const metadata: Metadata = { title: 'Nodes' };

export default function Nodes() {
  return <NodeIndex />;
}
