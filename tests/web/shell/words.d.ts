// The words that the server makes from the catalogues.
declare module "/words/*" {
  const texts: Record<string, string | string[]>;
  export default texts;
}
