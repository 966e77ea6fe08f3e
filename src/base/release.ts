/** The release of the gateway: that of `package.json`, which is no module of `src`. A test compares them. */
export const RELEASE = '0.1.0';
