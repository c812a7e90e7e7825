// What single operations run beside requests and lists. It is loaded with the first item that needs it.
export { requiredMember, uploadBinary, uploadedFileOf } from '../files/upload';
export { withTotals } from '../messaging/preview/templatePreview';
export { answerQuestion } from '../sendAndWait/answerWebhook';
export { addTags, syncTags } from '../tags/tagFlows';
export { deleteCustomers } from './customer/bulkDelete';
export { importCustomers } from './customer/bulkImport';
export { createCustomer, importCustomer } from './customer/writeCustomer';
export { downloadFile } from './file/download';
export { sendConversationMessage } from './message/send';
export { sendQuestion } from './message/sendAndWait';
export { previewTemplate, sendTemplate } from './message/sendTemplate';
export { exportProfile } from './profile/export';
