declare const __BUILD_ID__: string;
declare const __SITE_URL__: string;
declare const __PDF_WORKER__: string;
