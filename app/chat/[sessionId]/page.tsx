import type { Metadata } from 'next';
import { ChatPage } from '@/components/chat/chat-page';

export const metadata: Metadata = { title: 'Chat' };

export default async function ChatSession({ params }: { params: Promise<{ sessionId: string }> }) {
  const { sessionId } = await params;
  return <ChatPage sessionId={decodeURIComponent(sessionId)} initialFlowId={null} />;
}
