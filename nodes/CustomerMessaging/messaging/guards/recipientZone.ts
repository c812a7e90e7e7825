import { callingCode } from '../../values/phoneNumber';

/** The calling codes of countries with one time zone, and its place in the IANA database. Those with several are not here. */
const PLACES = {
	Africa: `20 Cairo 211 Juba 212 Casablanca 213 Algiers 216 Tunis 218 Tripoli 220 Banjul 221 Dakar 222 Nouakchott
		223 Bamako 224 Conakry 225 Abidjan 226 Ouagadougou 227 Niamey 228 Lome 229 Porto-Novo 231 Monrovia
		232 Freetown 233 Accra 234 Lagos 235 Ndjamena 236 Bangui 237 Douala 239 Sao_Tome 240 Malabo
		241 Libreville 242 Brazzaville 244 Luanda 245 Bissau 249 Khartoum 250 Kigali 251 Addis_Ababa
		252 Mogadishu 253 Djibouti 254 Nairobi 255 Dar_es_Salaam 256 Kampala 257 Bujumbura 258 Maputo
		260 Lusaka 263 Harare 264 Windhoek 265 Blantyre 266 Maseru 267 Gaborone 268 Mbabane 27 Johannesburg
		291 Asmara`,
	America: `297 Aruba 501 Belize 502 Guatemala 503 El_Salvador 504 Tegucigalpa 505 Managua 506 Costa_Rica
		507 Panama 509 Port-au-Prince 51 Lima 53 Havana 54 Argentina/Buenos_Aires 57 Bogota 58 Caracas
		591 La_Paz 592 Guyana 594 Cayenne 595 Asuncion 596 Martinique 597 Paramaribo 598 Montevideo`,
	Asia: `357 Nicosia 374 Yerevan 60 Kuala_Lumpur 63 Manila 65 Singapore 66 Bangkok 670 Dili 673 Brunei 81 Tokyo
		82 Seoul 84 Ho_Chi_Minh 852 Hong_Kong 853 Macau 855 Phnom_Penh 856 Vientiane 86 Shanghai 880 Dhaka
		886 Taipei 91 Kolkata 92 Karachi 93 Kabul 94 Colombo 95 Yangon 961 Beirut 962 Amman 963 Damascus
		964 Baghdad 965 Kuwait 966 Riyadh 967 Aden 968 Muscat 970 Hebron 971 Dubai 972 Jerusalem 973 Bahrain
		974 Qatar 975 Thimphu 977 Kathmandu 98 Tehran 992 Dushanbe 993 Ashgabat 994 Baku 995 Tbilisi
		996 Bishkek 998 Tashkent`,
	Atlantic: `238 Cape_Verde 298 Faroe 354 Reykjavik`,
	Europe: `30 Athens 31 Amsterdam 32 Brussels 33 Paris 350 Gibraltar 352 Luxembourg 353 Dublin 355 Tirane
		356 Malta 358 Helsinki 359 Sofia 36 Budapest 370 Vilnius 371 Riga 372 Tallinn 373 Chisinau 375 Minsk
		376 Andorra 377 Monaco 378 San_Marino 380 Kiev 381 Belgrade 382 Podgorica 383 Belgrade 385 Zagreb
		386 Ljubljana 387 Sarajevo 389 Skopje 39 Rome 40 Bucharest 41 Zurich 420 Prague 421 Bratislava
		423 Vaduz 43 Vienna 44 London 45 Copenhagen 46 Stockholm 47 Oslo 48 Warsaw 49 Berlin 90 Istanbul`,
	Indian: `230 Mauritius 248 Mahe 261 Antananarivo 269 Comoro 960 Maldives`,
	Pacific: `674 Nauru 676 Tongatapu 677 Guadalcanal 678 Efate 679 Fiji 680 Palau 682 Rarotonga 685 Apia`,
};

const ZONES = new Map(
	Object.entries(PLACES).flatMap(([area, places]) =>
		Array.from(places.matchAll(/(\d+) (\S+)/g), ([, code, place]) => [code, `${area}/${place}`] as const),
	),
);

/** Returns the time zone of a phone number; undefined if its calling code does not tell one. */
export const zoneOfNumber = (digits: string): string | undefined => ZONES.get(callingCode(digits));
