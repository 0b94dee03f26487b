// Files that begin with an underscore are not routed from src/pages, so _payload.json is injected.
export default function payloads() {
  return {
    name: 'payloads',
    hooks: {
      'astro:config:setup'({ injectRoute }) {
        injectRoute({
          pattern: '/[...page]/_payload.json',
          entrypoint: './src/endpoints/payload.json.ts',
          prerender: true,
        });
      },
    },
  };
}
