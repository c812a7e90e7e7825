import { operations as account } from './account/Account.resource';
import { operations as agent } from './agent/Agent.resource';
import { operations as customer } from './customer/Customer.resource';
import { operations as file } from './file/File.resource';
import { operations as group } from './group/Group.resource';
import { operations as media } from './media/Media.resource';
import { operations as message } from './message/Message.resource';
import { operations as notification } from './notification/Notification.resource';
import { operations as profile } from './profile/Profile.resource';
import { operations as settings } from './settings/Settings.resource';
import { operations as support } from './support/Support.resource';
import { operations as tag } from './tag/Tag.resource';
import { operations as template } from './template/Template.resource';
import { operations as user } from './user/User.resource';
import type { Operations } from '../runner/operation';

/** All operations, by resource and by the name that workflows store. */
export const operationsByResource: Record<string, Operations> = {
	account,
	agent,
	customer,
	file,
	group,
	media,
	message,
	notification,
	profile,
	settings,
	support,
	tag,
	template,
	user,
};
