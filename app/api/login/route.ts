import { getHost } from '@/server/host/host';
import { login, loginForm } from '@/server/security/login';

export const dynamic = 'force-dynamic';

export const GET = (): Response => loginForm(getHost().environment);
export const POST = (request: Request): Promise<Response> => login(request, getHost().environment);
