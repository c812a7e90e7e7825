// What single operations run beside requests and lists. It is loaded with the first item that needs it.
export { requiredMember, uploadBinary, uploadedFileOf } from '../files/upload';
export { previewTotals } from '../messages/template/templatePreview';
export { answerQuestion } from '../messages/question/answerWebhook';
export { addTags, syncTags } from '../sets/writeTags';
export { deleteCustomers } from '../customers/bulkDelete';
export { importCustomers } from '../customers/bulkImport';
export { createCustomer, importCustomer } from '../customers/writeCustomer';
export { downloadFile } from '../files/download';
export { sendConversationMessage } from '../messages/send';
export { sendQuestion } from '../messages/sendAndWait';
export { previewTemplate, sendTemplate } from '../messages/sendTemplate';
export { exportProfile } from './exportProfile';
