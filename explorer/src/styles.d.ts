/** Style sheets are bundled by Vite; the panel of GraphiQL imports its own as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
