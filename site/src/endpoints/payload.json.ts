import type { APIContext } from 'astro';
import { pagePayloads } from '../lib/payload';

export async function getStaticPaths() {
  const pages = await pagePayloads();
  return pages.map(({ path, data }) => ({
    params: { page: path === '/' ? undefined : path.slice(1) },
    props: { data },
  }));
}

export function GET({ props }: APIContext) {
  return new Response(JSON.stringify(props.data), { headers: { 'content-type': 'application/json' } });
}
