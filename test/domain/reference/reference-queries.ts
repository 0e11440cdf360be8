/** Queries with their expected first result, written from general knowledge without looking at the data. */

/** Each line is `CODE: query; query`, with the IATA code (or ICAO code) of the airport that most people mean. */
export const airportQueries = `
AMS: amsterdam; schiphol; Amsterdam AMS; amsterd
ATL: atlanta; hartsfield; Atlanta Georgia
AUH: abu dhabi; abudhabi; Zayed International
BCN: barcelona; el prat; Barcelona BCN; Barcelone
BOS: boston; logan; Boston Logan; bost
BRU: brussels; bruxelles; brussel; zaventem
BUD: budapest; ferihegy; liszt ferenc
CDG: paris charles de gaulle; roissy; CDG Paris; paris cdg
ORY: orly; paris orly
CPH: copenhagen; kastrup; kopenhagen; köbenhavn
DEN: denver; Denver Colorado; Denver DEN
DFW: dallas; dallas fort worth; Dallas/Fort Worth
DTW: detroit; detroit metro
DUB: dublin; Dublin Ireland; baile atha cliath
DUS: düsseldorf; dusseldorf; duesseldorf
DXB: dubai; dubai dxb; Dubai International
EDI: edinburgh; edinb; Edinburgh Scotland
EWR: newark; newark liberty; Newark New Jersey
EZE: ezeiza; buenos aires ezeiza; ministro pistarini
AEP: aeroparque; jorge newbery
FCO: rome; roma; fiumicino; Rome FCO; rom
CIA: ciampino
FRA: frankfurt am main; francfort; Frankfurt FRA
HHN: hahn; frankfurt hahn
GIG: rio de janeiro; galeao; rio galeão
SDU: santos dumont
GRU: sao paulo; guarulhos; são paulo; Sao Paulo GRU
CGH: congonhas
GVA: geneva; genève; genf; ginevra; Geneva Switzerland
HAM: hamburg; hamburg fuhlsbüttel; Hamburg HAM
HEL: helsinki; vantaa; helsinki vantaa; helsingfors
HKG: hong kong; hongkong; chek lap kok
HNL: honolulu; Honolulu Hawaii; daniel inouye
HND: haneda; tokyo haneda
NRT: narita; tokyo narita
IAD: dulles; washington dulles
DCA: reagan; ronald reagan; washington national
IAH: houston; george bush; houston intercontinental
HOU: hobby; houston hobby
ICN: incheon; seoul incheon; Seoul ICN
GMP: gimpo; seoul gimpo
IST: istanbul; Istanbul Turkey; istambul
SAW: sabiha; sabiha gökçen; istanbul sabiha
JFK: john f kennedy; New York JFK; jfk new york; nueva york
LGA: laguardia; la guardia; New York LGA
JNB: johannesburg; joburg; or tambo; O.R. Tambo
CPT: cape town; capetown; kapstadt; Cape Town South Africa
KEF: keflavik; keflavík; reykjavik keflavik
KUL: kuala lumpur; klia; Kuala Lumpur KUL
LAS: las vegas; vegas; harry reid; mccarran
LAX: los angeles; Los Angeles LAX; los ang
LED: pulkovo; sankt petersburg; st. petersburg russia
LGW: gatwick; london gatwick; LGW London
LHR: london heathrow; heathr; London LHR; londres heathrow
STN: stansted; london stansted
LTN: luton; london luton
LCY: london city; London City Airport
LIM: lima; Lima LIM; lima peru; jorge chavez
LIN: linate; milano linate
MXP: malpensa; milano; mailand; Milan MXP
BGY: bergamo; orio al serio; milan bergamo
LIS: lisbon; lisboa; lissabon; lisbonne; Lisbon Portugal
LYS: lyon; saint exupery; Lyon France
MAD: madrid; barajas; madrid barajas
MAN: manchester; Manchester UK; Manchester England
MEL: melbourne; tullamarine; Melbourne Australia
MEX: mexico city; ciudad de mexico; benito juarez
MIA: miami; Miami Florida; miam
MRS: marseille; marseilles; Marseille Provence
MSP: minneapolis; st paul minneapolis; Minneapolis St. Paul
MUC: munich; münchen flughafen; Munich Germany; muenchen muc
NAP: naples; napoli; neapel; capodichino
FMM: memmingen
NCE: nice; nizza; Nice Côte d'Azur; nice france
ORD: chicago; chicago o'hare; Chicago ORD
MDW: midway; chicago midway
OSL: oslo; gardermoen; Oslo Norway
TRF: torp; sandefjord
PEK: beijing capital; peking; beijing; pekin
PKX: daxing; beijing daxing
PER: perth; pert; Perth Australia
PHX: phoenix; sky harbor; Phoenix Arizona
PMI: palma; mallorca; palma de mallorca; majorca
PRG: prague; praha; prag; vaclav havel; Praga
PVG: shanghai; shanghai pudong
SHA: hongqiao; shanghai hongqiao
RIX: riga; Riga Latvia
SEA: seattle; sea-tac; seatac; Seattle Tacoma
SFO: san francisco; San Francisco SFO; san franc
SJC: san jose california; San Jose SJC
SJO: san jose costa rica; juan santamaria
SIN: singapore; changi; singapur
SOF: sofia; Sofia Bulgaria
ARN: stockholm; arlanda; stockholm arlanda; estocolmo
BMA: bromma
NYO: skavsta
SVO: sheremetyevo; scheremetjewo; moscow sheremetyevo
DME: domodedovo; moscow domodedovo
VKO: vnukovo
SYD: sydney; kingsford smith; Sydney Australia
SXM: st maarten; sint maarten; princess juliana
TLL: tallinn; Tallinn Estonia
TLV: tel aviv; ben gurion; Tel-Aviv
TPE: taipei; taoyuan; taipeh
TSA: songshan; taipei songshan
VCE: venice; venezia; venice marco polo; Venedig
TSF: treviso
VIE: vienna; schwechat; vienne; Vienna Austria
WAW: warsaw; warszawa; okecie; chopin
WMI: modlin; warsaw modlin
YUL: montreal; montréal; trudeau; dorval
YVR: vancouver; Vancouver Canada; Vancouver BC
YYZ: toronto; pearson; toronto pearson
YTZ: billy bishop; toronto island
ZRH: zurich; zürich; kloten; zuerich; Zurich Switzerland
BSL: basel; bâle; Basel Mulhouse
BER: berlin; brandenburg; Berlin BER; schönefeld
CGN: cologne; köln; koeln; cologne bonn
STR: stuttgart; stuttg
HAJ: hannover; hanover
NUE: nuremberg; nürnberg
LEJ: leipzig; leipzig halle
FAO: faro; Faro Portugal; algarve
OPO: porto; oporto
FNC: funchal; madeira
AGP: malaga; málaga; costa del sol
ALC: alicante; Alicante ALC
IBZ: ibiza; eivissa
LPA: gran canaria; las palmas
TFS: tenerife south; tenerife sur
TFN: tenerife north; tenerife norte; los rodeos
ACE: lanzarote; arrecife
SVQ: seville; sevilla
VLC: valencia; valencia spain
BIO: bilbao
ATH: athens; athen; athina; eleftherios venizelos
SKG: thessaloniki; saloniki
HER: heraklion; iraklion
JTR: santorini; thira
JMK: mykonos
RHO: rhodes; rhodos
CFU: corfu; kerkyra
LCA: larnaca; larnaka
PFO: paphos; pafos
MLA: malta; luqa
CTA: catania; fontanarossa
PMO: palermo
BLQ: bologna
FLR: florence; firenze; florenz
PSA: pisa
TRN: turin; torino
BRI: bari
OTP: bucharest; otopeni; bukarest
BEG: belgrade; beograd; belgrad
ZAG: zagreb
SPU: split
DBV: dubrovnik
LJU: ljubljana; laibach
KRK: krakow; kraków; cracow; krakau
GDN: gdansk; gdańsk
WRO: wroclaw; breslau
KBP: kyiv; boryspil; kiew
VNO: vilnius; wilna
SVG: stavanger
BGO: bergen; flesland
TRD: trondheim; vaernes
TOS: tromso; tromsø
GOT: gothenburg; göteborg; landvetter
BLL: billund; legoland
GLA: glasgow
BHX: birmingham uk; birmingham england
BRS: bristol
NCL: newcastle upon tyne
LPL: liverpool; john lennon
BFS: belfast international
ORK: cork
SNN: shannon
TLS: toulouse; blagnac
BOD: bordeaux; merignac
NTE: nantes
SXB: strasbourg; strassburg
AJA: ajaccio
CMN: casablanca; mohammed v
RAK: marrakech; marrakesh; menara
TUN: tunis; carthage
ALG: algiers; alger
CAI: cairo; kairo; le caire
HRG: hurghada
SSH: sharm el sheikh; sharm
ADD: addis ababa; bole
NBO: nairobi; jomo kenyatta
DAR: dar es salaam
JRO: kilimanjaro
ZNZ: zanzibar
LOS: lagos nigeria; murtala muhammed
ACC: accra; kotoka
DSS: dakar; blaise diagne
MRU: mauritius
RUN: reunion; la réunion; roland garros
SEZ: mahe; seychelles
TNR: antananarivo; ivato
DUR: durban; king shaka
WDH: windhoek; hosea kutako
LUN: lusaka
EBB: entebbe; kampala
DOH: doha; hamad
BAH: bahrain
MCT: muscat; maskat
RUH: riyadh; king khalid
JED: jeddah; king abdulaziz
AMM: amman; queen alia
BEY: beirut; beyrouth
IKA: tehran; imam khomeini
DEL: delhi; new delhi; indira gandhi
BOM: mumbai; bombay
BLR: bangalore; bengaluru; kempegowda
MAA: chennai; madras
CCU: kolkata; calcutta
HYD: hyderabad india
COK: kochi; cochin
GOI: dabolim
KTM: kathmandu; tribhuvan
CMB: colombo; bandaranaike
MLE: male maldives; velana
DAC: dhaka; dacca
KHI: karachi; jinnah
ISB: islamabad
LHE: lahore
BKK: bangkok; suvarnabhumi; bangk
DMK: don mueang; don muang
HKT: phuket
CNX: chiang mai
USM: koh samui; samui
SGN: ho chi minh; tan son nhat
HAN: hanoi; noi bai
DAD: da nang; danang
RGN: yangon; rangoon
VTE: vientiane
PEN: penang
BKI: kota kinabalu
CGK: jakarta; soekarno hatta
DPS: bali; denpasar; ngurah rai
MNL: manila; ninoy aquino
CEB: cebu; mactan
CAN: guangzhou; canton; baiyun
SZX: shenzhen
CTU: chengdu shuangliu
XIY: xian; xi'an
KIX: osaka kansai; kansai
ITM: itami
NGO: nagoya; centrair
CTS: sapporo; chitose; new chitose
FUK: fukuoka
OKA: okinawa; naha
CJU: jeju
PUS: busan; gimhae
UBN: ulaanbaatar; ulan bator
ALA: almaty; alma ata
TAS: tashkent
TBS: tbilisi; tiflis
EVN: yerevan; eriwan
GYD: baku; heydar aliyev
BNE: brisbane
ADL: adelaide
CNS: cairns
DRW: darwin
HBA: hobart
CBR: canberra
OOL: gold coast; coolangatta
AKL: auckland; Auckland New Zealand
WLG: wellington
CHC: christchurch
ZQN: queenstown new zealand
NAN: nadi; fiji
PPT: papeete; tahiti; faaa
NOU: noumea; la tontouta
PDX: portland; portland oregon
PWM: portland maine
SAN: san diego; san dieg
SLC: salt lake city
MCO: orlando; orlando florida
TPA: tampa
FLL: fort lauderdale; ft lauderdale
PHL: philadelphia
BWI: baltimore
CLT: charlotte; charlotte douglas
RDU: raleigh; durham raleigh
BNA: nashville
MSY: new orleans; louis armstrong
AUS: austin; bergstrom
SAT: san antonio
STL: st louis; saint louis; lambert
MCI: kansas city
CLE: cleveland
PIT: pittsburgh
CVG: cincinnati
IND: indianapolis
CMH: columbus; columbus ohio
OAK: oakland
SMF: sacramento
ANC: anchorage; ted stevens
FAI: fairbanks
OGG: maui; kahului
KOA: kona
LIH: kauai; lihue
YYC: calgary
YEG: edmonton
YOW: ottawa
YHZ: halifax
YQB: quebec city; québec
YWG: winnipeg
CUN: cancun; cancún
GDL: guadalajara
MTY: monterrey
HAV: havana; la habana; jose marti
PUJ: punta cana
SDQ: santo domingo
SJU: san juan; san juan puerto rico
MBJ: montego bay
KIN: kingston; kingston jamaica; norman manley
NAS: nassau
BGI: barbados; bridgetown
AUA: aruba
CUR: curacao; curaçao
PTY: panama city panama; tocumen
BOG: bogota; bogotá; el dorado
MDE: medellin; rionegro
CTG: cartagena; cartagena colombia
UIO: quito
GYE: guayaquil
CUZ: cusco; cuzco
LPB: la paz bolivia; el alto
SCL: santiago; santiago de chile; santiago chile
MVD: montevideo; carrasco
ASU: asuncion
BSB: brasilia
SSA: salvador; salvador bahia
REC: recife
FOR: fortaleza
POA: porto alegre
CWB: curitiba
USH: ushuaia
IPC: easter island; isla de pascua
GPS: galapagos baltra; baltra
SXF: berlin schönefeld sxf
TXL: tegel; berlin tegel; TXL
VHHX: kai tak
FBU: fornebu; oslo fornebu
US-12484: stapleton
SPC: la palma canary; santa cruz de la palma
BJV: bodrum
AYT: antalya
ADB: izmir; adnan menderes
ESB: ankara; esenboga
`

/** The ICAO code of the airline. */
export const airlineQueries = `
AFR: air france; AF; AFR
AAL: american airlines; american; AA
AAR: asiana
ACA: air canada; AC
AIC: air india; AI
ANA: ana; all nippon; NH
ANZ: air new zealand; NZ
ASA: alaska airlines; AS
AUA: austrian; OS; austrian airlines
AVA: avianca; AV
BAW: british airways; british
CAL: china airlines; CI
CCA: air china; CA
CES: china eastern
CPA: cathay; cathay pacific; CX
CSN: china southern; CZ
CTN: croatia airlines
DAL: delta air lines; DL
DLH: lufthansa; LH
EIN: aer lingus; EI
ELY: el al; LY
ETD: etihad; EY
ETH: ethiopian; ET
EVA: eva air; BR
EWG: eurowings; EW
EZY: easyjet; U2; easy jet
FIN: finnair; AY
GIA: garuda; GA
IBE: iberia; IB
ICE: icelandair; FI
ITY: ita airways; AZ
JAL: japan airlines; JL
JBU: jetblue; B6
KAL: korean air; KE
KLM: klm; KL
LOT: lot polish; LO; lot
MAS: malaysia airlines; MH
PAL: philippine airlines; PR
QFA: qantas; QF
QTR: qatar airways; QR
RAM: royal air maroc; AT
RYR: ryanair; FR
SAA: south african airways
SAS: sas; scandinavian; SK
SIA: singapore airlines; SQ
SVA: saudia; SV
SWA: southwest; WN
SWR: swiss; LX
TAP: tap portugal; TP; tap air portugal
THA: thai airways; TG
THY: turkish airlines; TK; turkish
TRA: transavia
TVF: transavia france
UAE: emirates; EK
UAL: united airlines; UA
VIR: virgin atlantic; VS
VLG: vueling; VY
VOZ: virgin australia; VA
WJA: westjet; WS
WZZ: wizz air; W6; wizz
BER: air berlin
MON: monarch
TCX: thomas cook
TWA: trans world; twa
PAA: pan american
NWA: northwest airlines
SAB: sabena
`

/** The ICAO designator of the aircraft type. */
export const aircraftQueries = `
A320: a320; airbus a320; 320
A20N: a320neo; 32N
A21N: a321neo
A319: a319; airbus a319
A333: a330-300; 333
A339: a330-900; a330-900neo
A359: a350-900; airbus a350-900
A35K: a350-1000
A388: a380; airbus a380; 388
B738: boeing 737-800; 73H
B38M: 737 max 8; 7M8
B739: 737-900
B744: 747-400; boeing 747-400
B748: 747-8
B752: 757-200
B763: 767-300
B772: 777-200
B77W: 777-300er
B788: 787-8; 788
B789: dreamliner 787-9; 789
BCS1: a220-100
BCS3: a220-300; cs300
E190: e190; embraer 190
E195: embraer 195
AT76: atr 72-600
DH8D: dash 8-400
CRJ9: crj900
CONC: concorde
F100: fokker 100
MD11: md-11
`

/** Misspelled names with one mistake in short words and up to two in long ones. */
export const airportMisspellings = `
FRA: frankfrut
LHR: heatrow; heathow
AMS: amsterdan; schipol
BCN: barcellona
PRG: pragua
CPH: copenhagan; copenhaguen
ARN: stokholm; stockhlom
HEL: helsinky; helsnki
KEF: reikjavik; reykjavic
EDI: edinburg; edinbrugh
GLA: glasgwo
DUS: dusseldrof; düsseldof
MUC: munchin; munih
SIN: singapor; singapoor
BKK: bankok; bangkock
KUL: kuala lampur; kuala lumpor
JNB: johanesburg; johannesberg
MRS: marsielle
PHL: philadelfia; philadephia
PIT: pittsburg
CVG: cincinatti; cincinnatti
ALB: albani
ABQ: albuquerqe; albequerque
MSP: mineapolis; minneappolis
LAX: los angelas; los angels
SFO: san fransisco; san francisko
IST: istanbull; istambull
MAD: madird
LIS: lisbone
BUD: budapset
OTP: bucharset
WAW: warsow
TLL: talinn; tallin
VNO: vilnus
MEL: melborne; melbourn
BNE: brisbaine
SYD: sidney
AKL: aukland; auckand
CHC: christchuch
CMN: cassablanca
RAK: marakech; marrakeck
NBO: nairobbi
ADD: adis abeba
DEL: dehli
BOM: mumbay
KTM: katmandu; kathmandoo
HKT: phukket; puket
GIG: rio de janiero
EZE: buenos aries
BOG: bagota
CUN: cancoon
HNL: honalulu; honolulo
`

export const airlineMisspellings = `
DLH: luftansa; lufthanza
RYR: rynair; ryaniar
QFA: quantas
UAE: emirats
BAW: britsh airways
SIA: singapor airlines
ICE: icelandiar
AFL: aeroflott
`

/** `code date ICAO`: the airport that used the code on the day. */
export const airportCodesByDate = `
HKG 1995-06-01 VHHX
HKG 1998-07-05 VHHX
HKG 1998-07-06 VHHH
VHHH 1990-01-01 VHHX
BKK 2005-03-01 VTBD
BKK 2006-09-27 VTBD
BKK 2006-09-28 VTBS
BKK 2019-01-01 VTBS
DMK 2010-01-01 VTBD
IST 2018-12-31 LTBA
IST 2019-04-05 LTBA
IST 2019-04-07 LTFM
DOH 2010-05-01 OTBD
DOH 2014-05-27 OTHH
ATH 1999-08-01 LGAT
ATH 2004-08-01 LGAV
MUC 1990-06-01 DE-0901
MUC 1992-05-17 EDDM
DEN 1994-12-01 US-12484
DEN 1995-02-28 KDEN
KUL 1997-01-01 WMSA
KUL 1999-01-01 WMKK
ISB 2017-01-01 OPRN
ISB 2018-05-03 OPIS
OSL 1997-06-01 NO-0099
OSL 1998-10-08 ENGM
TXL 2019-06-01 EDDT
TXL 2020-10-30 EDDT
BER 2021-01-01 EDDB
SXF 2015-01-01 DE-0440
HYD 2007-01-01 VOHY
HYD 2008-03-23 VOHS
BLR 2007-01-01 VOBG
BLR 2008-05-24 VOBL
COK 1998-01-01 VOCC
COK 2001-01-01 VOCI
DUR 2009-01-01 FADN
DUR 2010-05-01 FALE
UIO 2012-06-01 SEQU
UIO 2013-02-20 SEQM
PKR 2020-01-01 VNPK
PKR 2023-06-01 VNPR
REP 2022-01-01 VDSR
PNH 2024-01-01 VDPP
NGO 2003-01-01 RJNA
NGO 2006-01-01 RJGG
CAN 2003-01-01 CN-0001
KMG 2010-01-01 CN-0032
SPU 1990-01-01 LDSP
ZRH 1985-01-01 LSZH
LHR 1975-01-01 EGLL
GOT 1976-06-01 ESGB
GOT 1980-06-01 ESGG
CKG 1989-06-01 CN-0030
CKG 1995-06-01 ZUCK
FOC 1990-01-01 CN-0149
CGQ 2004-01-01 CN-0185
CGQ 2010-01-01 ZYCC
VDC 2018-01-01 BR-1961
VDC 2020-01-01 SBVC
RAI 2004-01-01 GVFM
RAI 2006-01-01 GVNP
SVD 2017-02-13 TVSV
SVD 2017-02-14 TVSA
MNI 1995-01-01 TRPM
MNI 2010-01-01 TRPG
SGU 2011-01-11 US-3037
SGU 2011-01-12 KSGU
PQC 2010-01-01 VN-0010
MQT 1995-01-01 US-12501
SHO 1998-01-01 RKND
SHO 2016-01-01 FDSK
KNO 2015-01-01 WIMM
MES 2010-01-01 WIMK
`

/** `code date ICAO`: the airline that used the code on the day. */
export const airlineCodesByDate = `
AZ 2015-05-01 AZA
AZ 2021-10-14 AZA
AZ 2021-10-15 ITY
AZ 2024-01-01 ITY
SN 1995-06-01 SAB
SN 2010-01-01 BEL
TW 1995-01-01 TWA
TW 2019-01-01 TWB
PA 1985-01-01 PAA
PA 2015-01-01 ABQ
US 2010-01-01 AWE
ZB 2015-01-01 MON
ZB 2022-01-01 ABN
MT 2018-01-01 TCX
BE 2015-01-01 BEE
WW 2008-01-01 BMI
WW 2017-01-01 WOW
BD 2008-01-01 BMA
KA 2010-01-01 HDA
TR 2010-01-01 TGW
UK 1990-01-01 UKA
UK 1999-01-01 UKA
UK 2018-01-01 VTI
LX 1995-01-01 CRX
LX 2010-01-01 SWR
AB 2012-01-01 BER
NW 2005-01-01 NWA
IT 1990-01-01 ITF
IT 2009-01-01 KFR
IT 2020-01-01 TTW
EW 1985-01-01 EWA
EW 2015-01-01 EWG
DI 2000-01-01 BAG
DI 2018-01-01 NRS
HP 2000-01-01 AWE
FL 2008-01-01 TRS
KM 2015-01-01 AMC
KM 2025-01-01 KMM
VX 1998-01-01 AES
VX 2014-01-01 VRD
OZ 1980-01-01 OZR
OZ 2005-01-01 AAR
BA 1970-01-01 BOA
BA 1990-01-01 BAW
LH 1990-01-01 DLH
MX 2005-01-01 MXA
MX 2023-01-01 MXY
AP 2005-01-01 ADH
JU 2000-01-01 JAT
JU 2018-01-01 ASL
BY 1995-01-01 BAL
BY 2015-01-01 TOM
CP 1995-01-01 CDN
NE 2005-01-01 ESK
RG 2000-01-01 VRG
2D 2015-01-01 DYA
2D 2022-01-01 EAL
3W 2005-01-01 EMX
3W 2018-01-01 MWI
4M 2015-01-01 DSM
6A 2005-01-01 CHP
6K 2005-01-01 RIT
7F 2010-01-01 FAB
8Z 2008-01-01 WVL
A4 2002-01-01 SWD
A4 2020-01-01 AZO
A7 2006-01-01 MPD
C6 2010-01-01 CJA
CE 2005-01-01 NTW
CE 2020-01-01 CLG
DP 2006-06-01 FCA
DP 2020-01-01 PBD
E9 2006-01-01 CXS
E9 2018-01-01 EVE
EC 2012-01-01 BOS
EC 2019-01-01 EJU
EH 1995-01-01 SET
EH 2015-01-01 AKX
G7 2003-01-01 GNF
GQ 2005-01-01 BSY
GQ 2015-01-01 SEH
H8 2006-01-01 KHB
HE 2010-01-01 LGW
I7 2008-01-01 PMW
KD 2008-01-01 KNI
KJ 2005-01-01 LAJ
KS 2010-01-01 PEN
LF 2006-01-01 NDC
LI 2015-01-01 LIA
MG 2005-01-01 CCP
MR 2000-01-01 MRT
MZ 2005-01-01 MNA
NL 2010-01-01 SAI
NR 2008-01-01 PIR
OH 2005-01-01 COM
OH 2020-01-01 JIA
OL 2008-01-01 OLT
OL 2019-01-01 PAO
P9 2015-01-01 PVN
Q6 2006-01-01 CDP
QH 2010-01-01 LYN
QH 2022-01-01 BAV
QO 2004-01-01 OGN
RI 2005-01-01 MDL
RV 2005-01-01 CPN
RV 2018-01-01 ROU
RW 2007-01-01 RPA
SI 2003-01-01 SIH
U5 2008-01-01 GWY
U7 2010-01-01 UGA
UR 2021-01-01 UGD
VK 2008-01-01 VGN
VK 2023-01-01 FVJ
VL 2010-01-01 VIM
VL 2025-01-01 LHX
VU 2005-01-01 VUN
VU 2023-01-01 VAG
WT 1990-01-01 NGA
XP 2010-01-01 CXP
XP 2023-01-01 VXP
ZY 2010-01-01 SHY
`
