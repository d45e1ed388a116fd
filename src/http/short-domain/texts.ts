export const languages = ["en", "ru", "pt", "de", "es", "fr", "uk", "tr", "ar", "zh"] as const;

export type Language = (typeof languages)[number];

/** Right-to-left languages. */
export const rightToLeft: ReadonlySet<Language> = new Set(["ar"]);

interface Texts {
  /** For an unknown or disabled link. */
  readonly title: string;
  readonly body: string;
  /** For a link that could not be looked up. */
  readonly failed: string;
  readonly unharmed: string;
  readonly again: string;
  /** For too many unknown links from one address. */
  readonly busy: string;
  readonly later: string;
  /** For a link for one payment, which has come. */
  readonly paid: string;
  readonly paidOnce: string;
  readonly order: string;
  readonly receipt: string;
  /** For a link whose time is over, or that has had all its payments. */
  readonly over: string;
  readonly noMore: string;
}

/**
 * Texts of the pages for customers whose short link does not lead on. They only say what is certain: opening the page
 * charges nothing. Whether the customer has paid before is known for a link for one payment alone.
 */
export const texts: Readonly<Record<Language, Texts>> = {
  en: {
    title: "This payment link does not work",
    body: "The address may be incomplete, or the seller may have closed the link. Check it, or ask the seller for a new one. Opening this page charges nothing. A payment that you made before stays valid.",
    failed: "Something failed on our side",
    unharmed: "Please try the link again in a minute. Opening this page charges nothing.",
    again: "Try again",
    busy: "Too many links were tried",
    later:
      "Your network asked for too many addresses that do not exist. Please try this link again in a minute. Opening this page charges nothing.",
    paid: "This payment link was paid",
    paidOnce: "It was made for one payment, which has arrived. Opening this page charges nothing.",
    order: "Order",
    receipt: "Receipt",
    over: "This payment link is closed",
    noMore:
      "It takes no more payments. Ask the seller for a new one. Opening this page charges nothing. A payment that you made before stays valid.",
  },
  ru: {
    title: "Эта ссылка на оплату не работает",
    body: "Возможно, адрес скопирован не полностью или продавец закрыл ссылку. Проверьте адрес или попросите у продавца новую ссылку. За открытие этой страницы ничего не списывается. Сделанный ранее платёж остаётся в силе.",
    failed: "Произошёл сбой на нашей стороне",
    unharmed: "Откройте ссылку ещё раз через минуту. За открытие этой страницы ничего не списывается.",
    again: "Попробовать ещё раз",
    busy: "Слишком много попыток",
    later:
      "Из вашей сети запросили слишком много несуществующих адресов. Откройте ссылку ещё раз через минуту. За открытие этой страницы ничего не списывается.",
    paid: "Эта ссылка уже оплачена",
    paidOnce: "Она была создана для одного платежа, и он поступил. За открытие этой страницы ничего не списывается.",
    order: "Заказ",
    receipt: "Квитанция",
    over: "Эта ссылка на оплату закрыта",
    noMore:
      "По ней больше нельзя платить. Попросите у продавца новую ссылку. За открытие этой страницы ничего не списывается. Сделанный ранее платёж остаётся в силе.",
  },
  pt: {
    title: "Este link de pagamento não funciona",
    body: "O endereço pode estar incompleto, ou o vendedor pode ter fechado o link. Confira-o ou peça um novo link ao vendedor. Abrir esta página não cobra nada. Um pagamento feito antes continua válido.",
    failed: "Algo falhou do nosso lado",
    unharmed: "Tente abrir o link novamente em um minuto. Abrir esta página não cobra nada.",
    again: "Tentar novamente",
    busy: "Foram feitas tentativas demais",
    later: "A sua rede pediu endereços inexistentes demais. Tente abrir o link novamente em um minuto. Abrir esta página não cobra nada.",
    paid: "Este link de pagamento já foi pago",
    paidOnce: "Ele foi feito para um único pagamento, que já chegou. Abrir esta página não gera nenhuma cobrança.",
    order: "Pedido",
    receipt: "Recibo",
    over: "Este link de pagamento está encerrado",
    noMore:
      "Ele não aceita mais pagamentos. Peça um novo ao vendedor. Abrir esta página não gera nenhuma cobrança. Um pagamento feito antes continua válido.",
  },
  de: {
    title: "Dieser Zahlungslink funktioniert nicht",
    body: "Vielleicht ist die Adresse unvollständig, oder der Verkäufer hat den Link geschlossen. Bitte prüfen Sie sie oder fragen Sie nach einem neuen Link. Das Öffnen dieser Seite kostet nichts. Eine frühere Zahlung bleibt gültig.",
    failed: "Bei uns ist etwas schiefgegangen",
    unharmed: "Bitte öffnen Sie den Link in einer Minute noch einmal. Das Öffnen dieser Seite kostet nichts.",
    again: "Noch einmal versuchen",
    busy: "Es wurden zu viele Links versucht",
    later:
      "Aus Ihrem Netz wurden zu viele Adressen aufgerufen, die es nicht gibt. Bitte öffnen Sie den Link in einer Minute noch einmal. Das Öffnen dieser Seite kostet nichts.",
    paid: "Dieser Zahlungslink wurde bereits bezahlt",
    paidOnce: "Er galt für eine einzige Zahlung, und sie ist eingegangen. Das Öffnen dieser Seite kostet nichts.",
    order: "Bestellung",
    receipt: "Beleg",
    over: "Dieser Zahlungslink ist geschlossen",
    noMore:
      "Er nimmt keine Zahlungen mehr an. Bitten Sie den Verkäufer um einen neuen. Das Öffnen dieser Seite kostet nichts. Eine frühere Zahlung bleibt gültig.",
  },
  es: {
    title: "Este enlace de pago no funciona",
    body: "Es posible que la dirección esté incompleta o que el vendedor haya cerrado el enlace. Compruébela o pida un enlace nuevo al vendedor. Abrir esta página no cobra nada. Un pago hecho antes sigue siendo válido.",
    failed: "Algo ha fallado por nuestra parte",
    unharmed: "Vuelva a abrir el enlace dentro de un minuto. Abrir esta página no cobra nada.",
    again: "Volver a intentarlo",
    busy: "Se han probado demasiados enlaces",
    later:
      "Desde su red se han pedido demasiadas direcciones que no existen. Vuelva a abrir el enlace dentro de un minuto. Abrir esta página no cobra nada.",
    paid: "Este enlace de pago ya se pagó",
    paidOnce: "Se creó para un solo pago, que ya se recibió. Abrir esta página no genera ningún cargo.",
    order: "Pedido",
    receipt: "Recibo",
    over: "Este enlace de pago está cerrado",
    noMore:
      "Ya no acepta pagos. Pida uno nuevo al vendedor. Abrir esta página no genera ningún cargo. Un pago hecho antes sigue siendo válido.",
  },
  fr: {
    title: "Ce lien de paiement ne fonctionne pas",
    body: "L’adresse est peut-être incomplète, ou le vendeur a fermé le lien. Vérifiez-la ou demandez un nouveau lien au vendeur. Ouvrir cette page ne débite rien. Un paiement déjà effectué reste valable.",
    failed: "Un problème est survenu de notre côté",
    unharmed: "Rouvrez le lien dans une minute. Ouvrir cette page ne débite rien.",
    again: "Réessayer",
    busy: "Trop de liens ont été essayés",
    later: "Votre réseau a demandé trop d’adresses qui n’existent pas. Rouvrez le lien dans une minute. Ouvrir cette page ne débite rien.",
    paid: "Ce lien de paiement a déjà été payé",
    paidOnce: "Il était prévu pour un seul paiement, qui a été reçu. Ouvrir cette page n’entraîne aucun débit.",
    order: "Commande",
    receipt: "Reçu",
    over: "Ce lien de paiement est fermé",
    noMore:
      "Il n’accepte plus de paiements. Demandez-en un nouveau au vendeur. Ouvrir cette page n’entraîne aucun débit. Un paiement déjà effectué reste valable.",
  },
  uk: {
    title: "Це посилання на оплату не працює",
    body: "Можливо, адресу скопійовано не повністю або продавець закрив посилання. Перевірте адресу або попросіть у продавця нове посилання. За відкриття цієї сторінки нічого не списується. Зроблений раніше платіж лишається чинним.",
    failed: "Стався збій на нашому боці",
    unharmed: "Відкрийте посилання ще раз за хвилину. За відкриття цієї сторінки нічого не списується.",
    again: "Спробувати ще раз",
    busy: "Забагато спроб",
    later:
      "З вашої мережі запитали забагато адрес, яких не існує. Відкрийте посилання ще раз за хвилину. За відкриття цієї сторінки нічого не списується.",
    paid: "Це посилання вже оплачено",
    paidOnce: "Його створено для одного платежу, і він надійшов. За відкриття цієї сторінки нічого не списується.",
    order: "Замовлення",
    receipt: "Квитанція",
    over: "Це посилання на оплату закрите",
    noMore:
      "За ним більше не можна платити. Попросіть у продавця нове посилання. За відкриття цієї сторінки нічого не списується. Зроблений раніше платіж залишається чинним.",
  },
  tr: {
    title: "Bu ödeme bağlantısı çalışmıyor",
    body: "Adres eksik olabilir veya satıcı bağlantıyı kapatmış olabilir. Adresi kontrol edin ya da satıcıdan yeni bir bağlantı isteyin. Bu sayfayı açmak ücretsizdir. Daha önce yaptığınız ödeme geçerliliğini korur.",
    failed: "Bizim tarafımızda bir hata oluştu",
    unharmed: "Lütfen bağlantıyı bir dakika sonra yeniden açın. Bu sayfayı açmak ücretsizdir.",
    again: "Yeniden dene",
    busy: "Çok fazla bağlantı denendi",
    later: "Ağınızdan var olmayan çok fazla adres istendi. Lütfen bağlantıyı bir dakika sonra yeniden açın. Bu sayfayı açmak ücretsizdir.",
    paid: "Bu ödeme bağlantısı zaten ödendi",
    paidOnce: "Tek bir ödeme için oluşturulmuştu ve bu ödeme alındı. Bu sayfayı açmak ücretsizdir.",
    order: "Sipariş",
    receipt: "Makbuz",
    over: "Bu ödeme bağlantısı kapandı",
    noMore:
      "Artık ödeme kabul etmiyor. Satıcıdan yeni bir bağlantı isteyin. Bu sayfayı açmak ücretsizdir. Daha önce yaptığınız ödeme geçerliliğini korur.",
  },
  ar: {
    title: "رابط الدفع هذا لا يعمل",
    body: "قد يكون العنوان غير مكتمل، أو قد يكون البائع أغلق الرابط. تحقق من العنوان أو اطلب من البائع رابطًا جديدًا. فتح هذه الصفحة لا يخصم أي مبلغ. أي دفعة أجريتها من قبل تبقى صالحة.",
    failed: "حدث خطأ من جانبنا",
    unharmed: "يرجى فتح الرابط مرة أخرى بعد دقيقة. فتح هذه الصفحة لا يخصم أي مبلغ.",
    again: "حاول مرة أخرى",
    busy: "جرت محاولات كثيرة جدًا",
    later: "طلبت شبكتك عددًا كبيرًا من العناوين غير الموجودة. يرجى فتح الرابط مرة أخرى بعد دقيقة. فتح هذه الصفحة لا يخصم أي مبلغ.",
    paid: "تم الدفع عبر رابط الدفع هذا",
    paidOnce: "أُنشئ هذا الرابط لدفعة واحدة، وقد وصلت. فتح هذه الصفحة لا يخصم أي مبلغ.",
    order: "الطلب",
    receipt: "الإيصال",
    over: "رابط الدفع هذا مغلق",
    noMore: "لم يعد يقبل أي مدفوعات. اطلب من البائع رابطًا جديدًا. فتح هذه الصفحة لا يخصم أي مبلغ. أي دفعة أجريتها من قبل تبقى صالحة.",
  },
  zh: {
    title: "此付款链接无法使用",
    body: "地址可能不完整，或者卖家已关闭该链接。请检查地址，或向卖家索取新链接。打开此页面不会扣款。您之前完成的付款仍然有效。",
    failed: "我们的系统出现问题",
    unharmed: "请一分钟后再次打开该链接。打开此页面不会扣款。",
    again: "重试",
    busy: "尝试的链接过多",
    later: "您的网络请求了过多不存在的地址。请一分钟后再次打开该链接。打开此页面不会扣款。",
    paid: "此付款链接已付款",
    paidOnce: "该链接仅用于一次付款，款项已收到。打开此页面不会扣款。",
    order: "订单",
    receipt: "收据",
    over: "此付款链接已关闭",
    noMore: "该链接不再接受付款。请向卖家索取新链接。打开此页面不会扣款。您之前完成的付款仍然有效。",
  },
};
