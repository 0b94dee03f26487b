import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/** What people who write Chinese take for passwords, in pinyin, numbers that sound like words, and surnames. */
const CHINESE = (
  '5201314 1314520 520 521 1314 woaini woaini1314 woaini520 iloveyou nihao zhongguo beijing shanghai guangzhou ' +
  'shenzhen chongqing hangzhou nanjing wuhan chengdu xian tianjin baobao laopo laogong mama baba wodemima mima ' +
  'qinaide xiaoxin kaixin kuaile xingfu pengyou jiayou meinv shuaige tiantian fuck wang li zhang liu chen yang ' +
  'huang zhao zhou wu xu sun zhu ma hu guo lin gao liang zheng luo song xie tang han feng deng cao peng zeng xiao ' +
  'tian dong pan yuan cai jiang yu du ye cheng wei su lv ding ren lu yao shen zhong tan fan jin shi liao jia xia ' +
  'fu fang zou xiong bai meng qin qiu hou yan xue lei long duan hao shao qian mao lai gong shi 我爱你 中国 密码 你好 ' +
  '北京 上海 生日 快乐 新年快乐 恭喜发财 一生一世 老婆 老公 宝贝'
).split(' ');

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, chinese: CHINESE },
  graphs: common.adjacencyGraphs,
});

/** 0 (at once) … 4 (never), by what a guesser tries first: words, names, dates, keys in a row, repetitions. */
export const guessed = (password: string): number => zxcvbn.check(password).score;
