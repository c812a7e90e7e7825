/**
 * An address of this machine at which nothing listens, ever.
 *
 * A port that was free a moment ago may be anybody's the next: the system gives it to whoever asks for any port. It never
 * gives away those below 1024. This one belongs to no service, and is none of those that `fetch` refuses to ask by itself.
 */
export const REFUSED_ADDRESS = 'http://127.0.0.1:2';
