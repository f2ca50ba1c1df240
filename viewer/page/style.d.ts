/** Style sheets come into the bundle; nothing is imported of them. */
declare module '*.css';
