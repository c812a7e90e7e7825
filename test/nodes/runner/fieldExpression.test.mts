import { fieldAt, fieldPath } from '../../../nodes/CustomerMessaging/runner/fieldExpression.ts';

describe('an expression that only names a field', () => {
	it.each([
		['={{ $json.name }}', ['name']],
		['={{$json.name}}', ['name']],
		['={{\t$json.name\n}}', ['name']],
		['={{ $json.person.first_name }}', ['person', 'first_name']],
		['={{ $json.$id }}', ['$id']],
		['={{ $json._2nd }}', ['_2nd']],
		['={{ $json.a1 }}', ['a1']],
		['={{ $json["first name"] }}', ['first name']],
		["={{ $json['first name'] }}", ['first name']],
		['={{ $json["it\'s"] }}', ["it's"]],
		['={{ $json["a"]["b"].c }}', ['a', 'b', 'c']],
		['={{ $json.a["b-c"].d }}', ['a', 'b-c', 'd']],
		['={{ $json[""] }}', ['']],
	])('is read from the item itself: %s', (expression, path) => {
		expect(fieldPath(expression)).toEqual(path);
	});

	it.each([
		'={{ $json.a-b }}',
		'={{ $json.a + 1 }}',
		'={{ $json["a"] + $json["b"] }}',
		'={{ $json }}',
		'={{ $json.a() }}',
		'={{ $json.a?.b }}',
		'={{ $json.a.b.length > 2 }}',
		'={{ $json[0] }}',
		'={{ $json[name] }}',
		'={{ $json["a\\"b"] }}',
		"={{ $json['a\\'b'] }}",
		'={{ $json.1a }}',
		'={{ $json.a }} ',
		' ={{ $json.a }}',
		'=Dear {{ $json.a }}',
		'={{ $json.a }}{{ $json.b }}',
		'={{ $jsonx.a }}',
		'={{ $json .a }}',
		'={{ json.a }}',
		'={{ $input.item.json.a }}',
		'{{ $json.a }}',
		'={{ $json. a }}',
		'={{ $json.a; }}',
		'',
	])('is not taken for one: %s', (expression) => {
		expect(fieldPath(expression)).toBeUndefined();
	});
});

describe('what stands at a path', () => {
	const fields = { name: 'Jo', none: null, zero: 0, deep: { er: { est: [1] } } };

	it.each<[string[], unknown]>([
		[['name'], 'Jo'],
		[['none'], null],
		[['zero'], 0],
		[['deep', 'er', 'est'], [1]],
		[['missing'], undefined],
		[['name', 'length'], undefined],
		[['none', 'at', 'all'], undefined],
		[['deep', 'missing', 'est'], undefined],
		[['constructor'], undefined],
		[['deep', 'toString'], undefined],
	])('%j', (path, expected) => {
		expect(fieldAt(fields, path)).toEqual(expected);
	});
});
