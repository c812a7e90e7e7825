/** What follows the way out in an error before a send, where the node does not continue. */
export const WAY_ON =
	' Nothing was sent for this item. To go on without such items, set On Error to Continue.';
